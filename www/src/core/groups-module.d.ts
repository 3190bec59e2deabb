/** The wasm module `groups`: what `sums` offers, with more services. */
declare module "@wasm/groups" {
  export { default } from "@wasm/sums";
  export * from "@wasm/sums";
}

declare module "@wasm/groups/groups_bg.wasm?url" {
  const url: string;
  export default url;
}
