/**
 * What makes a bundle a release: the build hash, the service worker's list, compressed siblings.
 *
 * The hash covers every byte that is served, so equal sources give equal hashes and people can
 * compare the number at the foot of the page.
 */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, resolve, sep } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const COMPRESSED = /\.(html|js|css|json|svg|txt|wasm|webmanifest)$/;
/** Twelve hex digits: enough to compare by eye, and a collision is nobody's attack. */
const HASH_DIGITS = 12;

/** `template`: the service worker's source. */
export function releasePlugin({ template }) {
  let config;
  return {
    name: "undertone-release",
    apply: "build",
    enforce: "post",
    configResolved(settled) {
      config = settled;
    },
    generateBundle: {
      order: "post",
      handler(_options, bundle) {
        const files = [...bundleFiles(bundle), ...publicFiles(config.publicDir)];
        const sw = readFileSync(template, "utf8");
        const hash = buildHash([...files, ["sw.js", sw]]);
        const page = bundle["index.html"];
        page.source = String(page.source).replace("__BUILD__", hash);
        this.emitFile({ type: "asset", fileName: "sw.js", source: fillIn(sw, hash, precacheList(files)) });
      },
    },
    closeBundle() {
      compressTree(resolve(config.root, config.build.outDir));
    },
  };
}

/** SHA-256 over names and contents in the order of names. */
export function buildHash(files) {
  const hash = createHash("sha256");
  for (const [name, content] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    hash.update(`${name}\0`).update(createHash("sha256").update(content).digest());
  }
  return hash.digest("hex").slice(0, HASH_DIGITS);
}

/** What only measures: nobody who takes part in rooms is to fetch it. */
const NOT_KEPT = /^assets\/bench_bg-[^/]*\.wasm$/;

/** Paths to keep offline; the page itself is `/`. Manifests of the build are for the relay only. */
export function precacheList(files) {
  const names = files.map(([name]) => name).filter((name) => !name.startsWith(".vite/") && !NOT_KEPT.test(name));
  return names.map((name) => (name === "index.html" ? "/" : `/${name}`)).sort();
}

/** The service worker with its version and list. */
export function fillIn(template, hash, list) {
  return template.replace("__BUILD__", hash).replace('"__FILES__"', list.map((path) => JSON.stringify(path)).join(", "));
}

function bundleFiles(bundle) {
  return Object.values(bundle)
    .filter((item) => !item.fileName.startsWith(".vite/"))
    .map((item) => [item.fileName, item.type === "chunk" ? item.code : item.source]);
}

function publicFiles(folder) {
  return tree(folder).map((path) => [relative(folder, path).split(sep).join("/"), readFileSync(path)]);
}

function compressTree(folder) {
  for (const path of tree(folder)) {
    if (!COMPRESSED.test(path) || path.includes(`${sep}.vite${sep}`)) continue;
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotli(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}

function brotli(content) {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
  };
  return brotliCompressSync(content, { params });
}

function tree(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? tree(path) : [path];
  });
}
