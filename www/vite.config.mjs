import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { configFor } from "./build/config.mjs";

const folder = (name) => fileURLToPath(new URL(`../pkg/wasm/${name}`, import.meta.url));

export default defineConfig(({ command }) => {
  for (const name of ["sums", "groups", "pairing", "shares", "drops", "record", "bench"]) {
    if (command === "build" && !existsSync(`${folder(name)}/${name}.js`)) {
      throw new Error(`pkg/wasm/${name} is missing: run \`cargo xtask build\` first`);
    }
  }
  return configFor(folder("$1"));
});
