import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import { configFor } from "./build/config.mjs";

const core = fileURLToPath(new URL("../pkg/wasm/sums", import.meta.url));

export default defineConfig(({ command }) => {
  if (command === "build" && !existsSync(`${core}/sums.js`)) {
    throw new Error("pkg/wasm/sums is missing: run `cargo xtask build` first");
  }
  return configFor(core);
});
