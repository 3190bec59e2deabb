/**
 * Draws the app's icons from one shape: masked dots above, one plain line below.
 *
 * `npm run icons` writes them to `public/`; they are kept in git, as they hardly ever change.
 */
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { crc32, deflateSync } from "node:zlib";

const target = join(dirname(fileURLToPath(import.meta.url)), "../public");
const INK = [0x1d, 0x3f, 0x94];
const PAPER = [0xff, 0xff, 0xff];
/** In a square of 24: x, y, radius, opacity. */
const DOTS = [
  [6.4, 7.2, 1.9, 0.5], [12, 6.5, 1.2, 0.85], [17.6, 7.8, 2.1, 0.4],
  [7, 12.3, 1.1, 0.95], [12.4, 11.9, 2, 0.55], [17.6, 12.6, 1.3, 0.75],
];
const LINE = { x: 4.4, y: 16.4, width: 15.2, height: 2.2 };
/** Samples a side for smooth edges. */
const SAMPLES = 4;

function svg() {
  const dots = DOTS.map(([x, y, r, o]) => `<circle cx="${x}" cy="${y}" r="${r}" opacity="${o}"/>`).join("");
  const { x, y, width, height } = LINE;
  const line = `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${height / 2}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="5.4" fill="#1d3f94"/><g fill="#fff">${dots}${line}</g></svg>\n`;
}

/** White ink's opacity at a point of the 24-unit square. */
function inkAt(x, y) {
  const dot = DOTS.find(([cx, cy, r]) => Math.hypot(x - cx, y - cy) <= r);
  if (dot) return dot[3];
  const half = LINE.height / 2;
  const nearest = Math.min(Math.max(x, LINE.x + half), LINE.x + LINE.width - half);
  return Math.hypot(x - nearest, y - LINE.y - half) <= half ? 1 : 0;
}

/** Whether a point is inside the rounded square. */
function insideAt(x, y, radius) {
  const nx = Math.min(Math.max(x, radius), 24 - radius);
  const ny = Math.min(Math.max(y, radius), 24 - radius);
  return Math.hypot(x - nx, y - ny) <= radius;
}

function pixel(px, py, size, { radius, zoom }) {
  let [alpha, ink] = [0, 0];
  for (let s = 0; s < SAMPLES ** 2; s++) {
    const x = ((px + ((s % SAMPLES) + 0.5) / SAMPLES) / size) * 24;
    const y = ((py + (Math.floor(s / SAMPLES) + 0.5) / SAMPLES) / size) * 24;
    if (radius > 0 && !insideAt(x, y, radius)) continue;
    alpha++;
    ink += inkAt((x - 12) / zoom + 12, (y - 12) / zoom + 12);
  }
  const part = alpha === 0 ? 0 : ink / alpha;
  const colour = INK.map((c, i) => Math.round(c + (PAPER[i] - c) * part));
  return [...colour, Math.round((alpha / SAMPLES ** 2) * 255)];
}

function png(size, shape) {
  const rows = Buffer.alloc(size * (size * 4 + 1));
  for (let y = 0; y < size; y++) {
    for (let x = 0; x < size; x++) rows.set(pixel(x, y, size, shape), y * (size * 4 + 1) + 1 + x * 4);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const parts = [chunk("IHDR", head), chunk("IDAT", deflateSync(rows, { level: 9 })), chunk("IEND", Buffer.alloc(0))];
  return Buffer.concat([signature, ...parts]);
}

function chunk(type, data) {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(data.length, 0);
  out.set(body, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}


writeFileSync(join(target, "icon.svg"), svg());
writeFileSync(join(target, "icon-192.png"), png(192, { radius: 5.4, zoom: 1 }));
writeFileSync(join(target, "icon-512.png"), png(512, { radius: 5.4, zoom: 1 }));
// Launchers cut a maskable icon to a circle of 80 %: full square, smaller shape.
writeFileSync(join(target, "icon-maskable.png"), png(512, { radius: 0, zoom: 0.85 }));
