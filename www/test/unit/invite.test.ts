import { expect, test } from "vitest";
import { inviteFrom, inviteLink, takeInvite, type Place } from "../../src/page/invite.ts";
import { relayAddress } from "../../src/page/relay.ts";
import { seatAddress, seatOf, VERIFY } from "../../src/page/route.ts";

function place(hash: string): Place & { shown: string[] } {
  const shown: string[] = [];
  return {
    shown,
    location: { hash, pathname: "/", search: "" },
    history: { state: null, replaceState: (_state, _unused, url) => void shown.push(url) },
  };
}

test("an invite is read once and leaves the address bar", () => {
  const there = place("#u1-secret");
  expect(takeInvite(there)).toBe("u1-secret");
  expect(there.shown).toEqual(["/"]);
});

test("without a fragment the address bar is left alone", () => {
  const there = place("");
  expect(takeInvite(there)).toBeUndefined();
  expect(there.shown).toEqual([]);
});

test("a screen's address is no invite and stays in the address bar", () => {
  const there = place(VERIFY);
  expect(takeInvite(there)).toBeUndefined();
  expect(there.shown).toEqual([]);
});

test("a pasted link gives its fragment, typed words stay as they are", () => {
  expect(inviteFrom(" https://example.org/#u1-secret\n")).toBe("u1-secret");
  expect(inviteFrom("copper lantern seven river ")).toBe("copper lantern seven river");
  expect(inviteFrom("https://example.org/#u1%2Dsecret")).toBe("u1-secret");
  expect(inviteFrom("#%")).toBe("%");
});

test("the link of an invite is read back as the same invite", () => {
  const link = inviteLink({ origin: "http://teacher.lan:8080", pathname: "/" }, "u1-secret_x");
  expect(inviteFrom(link)).toBe("u1-secret_x");
});

test("the relay is where the page came from", () => {
  expect(relayAddress({ protocol: "http:", host: "teacher.lan:8080" })).toBe("ws://teacher.lan:8080/ws");
  expect(relayAddress({ protocol: "https:", host: "example.org" })).toBe("wss://example.org/ws");
});

test("a seat's address is its number and nothing else", () => {
  const seat = "0123456789abcdef";
  expect(seatOf(seatAddress(seat))).toBe(seat);
  expect(takeInvite(place(seatAddress(seat)))).toBeUndefined();
  for (const other of ["#/room/", "#/room/0123", `#/room/${seat}0`, "#/room/../../../etc/pa", VERIFY, "#u1-secret"]) {
    expect(seatOf(other)).toBeUndefined();
  }
});
