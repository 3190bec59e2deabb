/** The app's vite configuration, as a function of the core it is built around. */
import { fileURLToPath } from "node:url";
import { panelsPlugin } from "./panels.mjs";
import { releasePlugin } from "./release.mjs";

const path = (relative) => fileURLToPath(new URL(`../${relative}`, import.meta.url));

/** `core` and `record`: the folders of `sums.js` and `record.js`; tests pass a fake one. */
export function configFor(core, record = core) {
  return {
    root: path("."),
    base: "/",
    resolve: {
      alias: [
        { find: "@undertone/contract", replacement: path("src/core/contract.ts") },
        { find: /^@wasm\/sums\/(.*)$/, replacement: `${core}/$1` },
        { find: /^@wasm\/sums$/, replacement: `${core}/sums.js` },
        { find: /^@wasm\/record\/(.*)$/, replacement: `${record}/$1` },
        { find: /^@wasm\/record$/, replacement: `${record}/record.js` },
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
