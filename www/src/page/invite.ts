/**
 * Invites live in the URL fragment, which browsers never send to a server.
 *
 * The secret is taken out of the address bar as soon as it is read, so that a shared screen, a
 * bookmark or a synchronised history does not keep it.
 */

/** The parts of `window` that are used. */
export interface Place {
  location: { hash: string; pathname: string; search: string };
  history: { state: unknown; replaceState(state: unknown, unused: string, url: string): void };
}

/** Reads the invite of this page load, once, and removes it from the address bar; `#/…` is a screen. */
export function takeInvite(place: Place): string | undefined {
  const invite = place.location.hash.replace(/^#/, "");
  if (invite === "" || invite.startsWith("/")) return undefined;
  place.history.replaceState(place.history.state, "", place.location.pathname + place.location.search);
  return decode(invite);
}

/** What a person pasted or typed: a link's fragment, or the text itself (the core knows codes). */
export function inviteFrom(text: string): string {
  const trimmed = text.trim();
  const hash = trimmed.indexOf("#");
  return hash < 0 ? trimmed : decode(trimmed.slice(hash + 1));
}

/** The link that brings another device to this room. */
export function inviteLink(location: { origin: string; pathname: string }, invite: string): string {
  return `${location.origin}${location.pathname}#${invite}`;
}

/** Some messengers percent-encode a fragment; an invite itself never needs it. */
function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
