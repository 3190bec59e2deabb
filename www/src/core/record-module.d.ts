/** The wasm module `record` as its worker sees it; the build maps the name to `pkg/wasm/record`. */
declare module "@wasm/record" {
  import type { Verified } from "@undertone/contract";

  export default function init(options: { module_or_path: string | URL | Uint8Array }): Promise<unknown>;
  /** Throws a `CoreErrorData` that says what does not hold. */
  export function verify_record(bytes: Uint8Array): Verified;
}

declare module "@wasm/record/record_bg.wasm?url" {
  const url: string;
  export default url;
}
