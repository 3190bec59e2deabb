/** The app's vite configuration, as a function of the core it is built around. */
import { fileURLToPath } from "node:url";
import { panelsPlugin } from "./panels.mjs";
import { releasePlugin } from "./release.mjs";

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

/** `modules`: the folder of each module, with `$1` for its name; tests pass one with fake ones. */
export function configFor(modules) {
  return {
    root: path("."),
    base: "/",
    resolve: {
      alias: [
        { find: "@undertone/contract", replacement: path("src/core/contract.ts") },
        { find: /^@wasm\/(\w+)\/(.*)$/, replacement: `${modules}/$2` },
        { find: /^@wasm\/(\w+)$/, replacement: `${modules}/$1.js` },
      ],
    },
    plugins: [panelsPlugin(), releasePlugin({ template: path("src/sw/sw.js") })],
    worker: { format: "es" },
    build: {
      target: "es2022",
      manifest: true,
      // A data: URL would need a hole in the content security policy.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
    server: { fs: { allow: [path("..")] } },
  };
}
