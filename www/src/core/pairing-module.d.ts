/** The wasm module `pairing`: rooms as `sums` offers them, with other services. */
declare module "@wasm/pairing" {
  export { default } from "@wasm/sums";
  export * from "@wasm/sums";
}

declare module "@wasm/pairing/pairing_bg.wasm?url" {
  const url: string;
  export default url;
}
