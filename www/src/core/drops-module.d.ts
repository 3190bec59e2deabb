/** The wasm module `drops`: what `sums` offers, with more services. */
declare module "@wasm/drops" {
  export { default } from "@wasm/sums";
  export * from "@wasm/sums";
}

declare module "@wasm/drops/drops_bg.wasm?url" {
  const url: string;
  export default url;
}
