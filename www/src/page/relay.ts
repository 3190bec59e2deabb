/** The relay that served this page is the one it talks to: an https page could reach no other. */
export function relayAddress(location: { protocol: string; host: string }): string {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws`;
}
