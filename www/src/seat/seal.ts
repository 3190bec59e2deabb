/**
 * How a seat's secrets lie on the disk: sealed under a key that the browser gives out to nobody.
 *
 * Whoever reads the disk or the database finds nothing to take along. It does not stop code that runs
 * in this page: it can use the key as this page does. On plain http browsers have no such keys; there
 * the secrets lie as they are, and who runs the network could take them from the page anyway.
 */

export interface Sealed {
  key: CryptoKey | null;
  secrets: Uint8Array;
}

const IV_BYTES = 12;
const CIPHER = "AES-GCM";

/** Absent on plain http. */
const subtle = (): SubtleCrypto | undefined => globalThis.crypto.subtle as SubtleCrypto | undefined;

/** A fresh key for each seal, so no nonce is ever used twice. */
export async function sealed(id: string, secrets: Uint8Array<ArrayBuffer>): Promise<Sealed> {
  const webCrypto = subtle();
  if (!webCrypto) return { key: null, secrets: secrets.slice() };
  const key = await webCrypto.generateKey({ name: CIPHER, length: 256 }, false, ["encrypt", "decrypt"]);
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const content = await webCrypto.encrypt(under(id, iv), key, secrets);
  return { key, secrets: new Uint8Array([...iv, ...new Uint8Array(content)]) };
}

/** Throws if a bit of it is not as it was sealed, or if it is another seat's. */
export async function opened(id: string, { key, secrets }: Sealed): Promise<Uint8Array<ArrayBuffer>> {
  if (!key) return secrets.slice();
  const bytes = secrets.slice();
  const content = await crypto.subtle.decrypt(under(id, bytes.slice(0, IV_BYTES)), key, bytes.slice(IV_BYTES));
  return new Uint8Array(content);
}

function under(id: string, iv: Uint8Array<ArrayBuffer>): AesGcmParams {
  return { name: CIPHER, iv, additionalData: new TextEncoder().encode(`undertone seat ${id}`) };
}
