/** The wasm module `shares`: what `sums` offers, with more services. */
declare module "@wasm/shares" {
  export { default } from "@wasm/sums";
  export * from "@wasm/sums";
}

declare module "@wasm/shares/shares_bg.wasm?url" {
  const url: string;
  export default url;
}
