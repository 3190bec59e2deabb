/**
 * The one door through which this page loads scripts by URL (its worker and its service worker).
 *
 * Under `require-trusted-types-for 'script'` nothing else can, which is the point.
 */

interface Policy {
  createScriptURL(url: string): unknown;
}

interface Factory {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

let policy: Policy | undefined;

/** A URL that `Worker` and `register` take. Only this origin's own scripts pass. */
export function scriptUrl(url: string): string {
  const factory = (globalThis as { trustedTypes?: Factory }).trustedTypes;
  if (!factory) return sameOrigin(url);
  policy ??= factory.createPolicy("undertone", { createScriptURL: sameOrigin });
  // The type library knows strings only; at run time this is a TrustedScriptURL.
  return policy.createScriptURL(url) as string;
}

function sameOrigin(url: string): string {
  if (new URL(url, document.baseURI).origin !== location.origin) throw new TypeError("script of another origin");
  return url;
}
