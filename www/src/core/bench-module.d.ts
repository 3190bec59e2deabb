/** The wasm module `bench` as its worker sees it; the build maps the name to `pkg/wasm/bench`. */
declare module "@wasm/bench" {
  export default function init(options: { module_or_path: string | URL | Uint8Array }): Promise<unknown>;
  /** The rows of a bench, in order; none for a name that no bench has. */
  export function rows(bench: string): { name: string; n: string; baseline: string }[];

  /** Work that was made ready. */
  export class Ready {
    /** The work of a row, or of what it is held against. */
    static make(bench: string, row: number, baseline: boolean): Ready | undefined;
    run(times: number): void;
    free(): void;
  }
}

declare module "@wasm/bench/bench_bg.wasm?url" {
  const url: string;
  export default url;
}
