/** Bytes for people to look at. */

/** Two digits a byte, a space every four bytes, so that long rows wrap. */
export function hex(bytes: Uint8Array): string {
  const digits = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0"));
  const words: string[] = [];
  for (let i = 0; i < digits.length; i += 4) words.push(digits.slice(i, i + 4).join(""));
  return words.join(" ");
}
