/** Hands a file to the browser's downloads. */

/** Long enough for the slowest browser to have taken the file. */
const TAKEN_MS = 60_000;

/** Saves bytes under a name. */
export function saveFile(name: string, bytes: Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([bytes], { type: "application/octet-stream" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), TAKEN_MS);
}

/** `undertone-2026-11-30.record`, by this device's calendar. */
export function recordName(now: Date): string {
  const two = (n: number): string => String(n).padStart(2, "0");
  return `undertone-${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}.record`;
}
