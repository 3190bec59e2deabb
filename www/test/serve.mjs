/**
 * Serves a built page with the headers that the relay sends, for tests of the page alone.
 */
import { createReadStream, existsSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";

/** The policy that the page has to live under; the relay sends the same. */
export const CSP = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "style-src 'self'",
  "connect-src 'self' ws: wss:",
  "img-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types undertone lit-html",
].join("; ");

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".json": "application/json",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Starts a server for `folder` on a free port of the loopback interface. */
export async function serve(folder) {
  const server = createServer((request, response) => answer(folder, request, response));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { port: server.address().port, close: () => server.close() };
}

/** Browsers ignore the isolation headers on insecure origins, with an error in the console. */
function isLocal(request) {
  return (request.headers.host ?? "").startsWith("localhost");
}

function answer(folder, request, response) {
  const { pathname } = new URL(request.url, "http://localhost");
  const file = normalize(join(folder, pathname === "/" ? "index.html" : pathname));
  if (!file.startsWith(folder) || !existsSync(file) || !statSync(file).isFile()) {
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200, {
    "content-type": TYPES[extname(file)] ?? "application/octet-stream",
    "content-security-policy": CSP,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    ...(isLocal(request) ? { "cross-origin-opener-policy": "same-origin", "cross-origin-embedder-policy": "require-corp" } : {}),
  });
  createReadStream(file).pipe(response);
}
