"""Reads the known answers of all services without any of the project's code.

Two things are recomputed from each file, with nothing but Python's integers and hashes: what comes out,
from the inputs as they are written and from the masked messages added up; and every masked message
itself, from the input and the keys of the pads, or with `kdk` and `pcl` from the seats' keys, with the
next key and its proof where they ride along. Of `kdk-pairing` it multiplies the messages and checks the
order of each, and that all of them, freed of value and key, are one element: that of the round. Where people may
vanish it recomputes what they deal, the set and what is opened, and takes the masks off by what is open. Of `shares` it
opens every envelope, adds the shares up again, and recomputes all that those who add up say. It names the
services that it does not know.

    python3 tests/vectors/decode.py [FOLDER]
"""

import hashlib
import hmac
import json
import struct
import sys
from fractions import Fraction
from pathlib import Path

from bls12381 import R381, Tower, pairing_of_generators, target

MASK32 = 0xFFFF_FFFF


# --- what is hashed and how keys follow ---------------------------------------------------------


def hashed(domain, *fields):
    """The first 32 bytes of SHA-512 over fields, each behind its length."""
    state = hashlib.sha512()
    for field in [b"undertone", domain, *fields]:
        state.update(len(field).to_bytes(8, "big") + field)
    return state.digest()[:32]


def hkdf(salt, secret, info):
    """HKDF-SHA-512 (RFC 5869), 32 bytes."""
    extracted = hmac.new(salt, secret, hashlib.sha512).digest()
    return hmac.new(extracted, info + b"\x01", hashlib.sha512).digest()[:32]


def derived(secret, domain, *fields):
    """A key for one purpose out of a secret: the domain is the salt, the hash of the fields the info."""
    return hkdf(domain, secret, hashed(domain, *fields))


# --- ChaCha with 12 rounds ----------------------------------------------------------------------


def quarter(x, a, b, c, d):
    for one, two, three, turn in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
        x[one] = (x[one] + x[two]) & MASK32
        mixed = x[three] ^ x[one]
        x[three] = (mixed << turn | mixed >> (32 - turn)) & MASK32


def stirred(start, rounds):
    """The sixteen words after so many rounds."""
    x = list(start)
    for _ in range(rounds // 2):
        for i in range(4):
            quarter(x, i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return x


def first_words(key):
    return [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key)]


def stream(key, length, rounds, nonce=bytes(12), counter=0):
    """So many bytes of the stream under a key and nonce, from a block on."""
    out = b""
    while len(out) < length:
        start = [*first_words(key), counter, *struct.unpack("<3I", nonce)]
        out += struct.pack("<16I", *((one + two) & MASK32 for one, two in zip(stirred(start, rounds), start)))
        counter += 1
    return out[:length]


def block(key, counter):
    """64 bytes of the stream under a key that is used once, so the nonce is 0."""
    return stream(key, 64, 12, counter=counter)


def chacha12(key, length):
    """So many bytes of the stream under a key that is used once: nonce and counter start at 0."""
    return stream(key, length, 12)


# --- seals: XChaCha20-Poly1305 --------------------------------------------------------------------


def poly1305(key, data):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for at in range(0, len(data), 16):
        total = (total + int.from_bytes(data[at : at + 16] + b"\x01", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def opened(key, bound, sealed):
    """What is sealed under a key and bound to something."""
    nonce, text, tag = sealed[:24], sealed[24:-16], sealed[-16:]
    words_of = stirred([*first_words(key), *struct.unpack("<4I", nonce[:16])], 20)
    key, nonce = struct.pack("<8I", *words_of[:4], *words_of[12:]), bytes(4) + nonce[16:]
    padded = lambda it: it + bytes(-len(it) % 16)
    told = padded(bound) + padded(text) + len(bound).to_bytes(8, "little") + len(text).to_bytes(8, "little")
    assert poly1305(stream(key, 32, 20, nonce), told) == tag, "an envelope does not open"
    return bytes(one ^ two for one, two in zip(text, stream(key, len(text), 20, nonce, 1)))


# --- the method `masks` -------------------------------------------------------------------------


def words(data, size):
    """Elements of Z_2^(8 size), least significant byte first."""
    return [int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size)]


def signed(word, size):
    half = 1 << (8 * size - 1)
    return word - 2 * half if word >= half else word


def masked(known, seat, values, size):
    """y_i = m_i + sum_{j>i} p_ij - sum_{j<i} p_ij."""
    context = hashed(b"masked-round/v1", bytes.fromhex(known["seeds"]["context"]), (0).to_bytes(8, "big"))
    total = list(values)
    for pad in known["seeds"]["pads"]:
        if seat in pad["seats"]:
            stream = chacha12(derived(bytes.fromhex(pad["key"]), b"pad/v1", context), size * len(values))
            sign = 1 if seat == min(pad["seats"]) else -1
            total = [one + sign * two for one, two in zip(total, words(stream, size))]
    return b"".join((word % (1 << 8 * size)).to_bytes(size, "little") for word in total)


# --- the methods `kdk` and `pcl` on ristretto255 (RFC 9496) --------------------------------------------------

P = 2**255 - 19
ORDER = 2**252 + 27742317777372353535851937790883648493
D = -121665 * pow(121666, -1, P) % P
SQRT_M1 = pow(2, (P - 1) // 4, P)


def negative(x):
    return x & 1


def inverse_root(u, v):
    """Whether u/v is a square, and the non-negative root of it or of i u/v."""
    r = u * v**3 * pow(u * v**7, (P - 5) // 8, P) % P
    check = v * r * r % P
    if check in (-u % P, -u * SQRT_M1 % P):
        r = r * SQRT_M1 % P
    return check in (u % P, -u % P), P - r if negative(r) else r


INVSQRT_A_MINUS_D = inverse_root(1, (-1 - D) % P)[1]


def point(data):
    """Decodes an element, which must be encoded canonically."""
    s = int.from_bytes(data, "little")
    assert s < P and not negative(s), "no canonical element"
    u1, u2 = (1 - s * s) % P, (1 + s * s) % P
    v = (-D * u1 * u1 - u2 * u2) % P
    square, root = inverse_root(1, v * u2 * u2 % P)
    x_denominator, y_denominator = root * u2 % P, root * root * u2 * v % P
    x, y = 2 * s * x_denominator % P, u1 * y_denominator % P
    x = P - x if negative(x) else x
    t = x * y % P
    assert square and not negative(t) and y != 0, "no element"
    return x, y, 1, t


def add(one, two):
    (x1, y1, z1, t1), (x2, y2, z2, t2) = one, two
    a, b = (y1 - x1) * (y2 - x2) % P, (y1 + x1) * (y2 + x2) % P
    c, d = 2 * t1 * t2 * D % P, 2 * z1 * z2 % P
    e, f, g, h = b - a, d - c, d + c, b + a
    return e * f % P, g * h % P, f * g % P, e * h % P


def minus(it):
    return -it[0] % P, it[1], it[2], -it[3] % P


def times(k, it):
    total = (0, 1, 1, 0)
    for bit in bin(k)[2:]:
        total = add(total, total)
        total = add(total, it) if bit == "1" else total
    return total


def encoded(it):
    x, y, z, t = it
    u1, u2 = (z + y) * (z - y) % P, x * y % P
    _, root = inverse_root(1, u1 * u2 * u2 % P)
    one, two = root * u1 % P, root * u2 % P
    z_inverse = one * two * t % P
    denominator = two
    if negative(t * z_inverse % P):
        x, y, denominator = y * SQRT_M1 % P, x * SQRT_M1 % P, one * INVSQRT_A_MINUS_D % P
    y = P - y if negative(x * z_inverse % P) else y
    s = denominator * (z - y) % P
    return (P - s if negative(s) else s).to_bytes(32, "little")


BASE = point(bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76"))


def wide(domain, *fields):
    """A scalar out of all 64 bytes of the hash."""
    state = hashlib.sha512()
    for field in [b"undertone", domain, *fields]:
        state.update(len(field).to_bytes(8, "big") + field)
    return int.from_bytes(state.digest(), "little") % ORDER


def secret(seed):
    return wide(b"agreement-key/v1", bytes.fromhex(seed))


def total_of(points):
    total = (0, 1, 1, 0)
    for it in points:
        total = add(total, it)
    return total


def coefficient(known, round_, one, other):
    """A_ij of a pair: what a place of its own in the round's stream spells, negative for the higher seat.

    With 128 bits four pairs share a block and the number is 2 c + 1 - 2^128; with full size a pair has a
    block, x is that modulo the order, and the number is 2 x + 1.
    """
    full = known["params"].get("exponents") == "full"
    context = bytes.fromhex(known["seeds"]["context"])
    key = hashed(b"pcl-full/v1" if full else b"pcl-short/v1", context, round_.to_bytes(8, "big"))
    low, high = min(one, other), max(one, other)
    if full:
        number = 2 * (int.from_bytes(block(key, low << 16 | high), "little") % ORDER) + 1
    else:
        slot = 16 * (low % 2 * 2 + high % 2)
        part = block(key, low // 2 << 16 | high // 2)[slot : slot + 16]
        number = 2 * int.from_bytes(part, "little") + 1 - 2**128
    return number if one == low else -number


def bounded(known, seats):
    """Rounds of a key of `pcl` and how far around the circle a seat's neighbours are: with n seats, of
    whom t collude, l = (n-t-1)/2 (without the spare seat (n-t)/2), and at least 2l+t neighbours."""
    colluders = int(known["params"].get("collusion") or 1)
    spare = 0 if known["params"].get("budget") == "exact" else 1
    rounds = (seats - colluders - spare) // 2
    assert rounds > 0, "no round is safe"
    return rounds, (2 * rounds + colluders + 1) // 2


def neighbours(known, seat, seats):
    """Each with the number that its key is multiplied by, for the first round of the keys."""
    if known["service"] == "kdk":
        return [(other, 1 if seat < other else -1) for other in neighbours_of(known, seat)]
    others = [other for other in range(seats) if other != seat]
    _, reach = bounded(known, seats)
    linked = [other for other in others if min((seat - other) % seats, (other - seat) % seats) <= reach]
    return [(other, coefficient(known, 0, seat, other)) for other in linked]


def hidden(known, seat, value):
    """V_i = x_i sum_j A_ij U_j + m_i G; with `kdk` A_ij is 1 for the higher seats and -1 for the lower."""
    keys = known["seeds"]["keys"]
    public = lambda other: times(secret(keys[other][0]), BASE)
    others = total_of(times(a % ORDER, public(other)) for other, a in neighbours(known, seat, len(keys)))
    return encoded(add(times(secret(keys[seat][0]), others), times(value, BASE)))


def around(seat, seats, t):
    """The neighbours of a seat on a ring that is in one piece without any t seats."""
    reach = (t + 2) // 2
    if 2 * reach >= seats - 1:
        return [other for other in range(seats) if other != seat]
    return sorted((seat + sign * step) % seats for step in range(1, reach + 1) for sign in (1, -1))


def circle(seat, seats):
    """Those next to a seat on the circle of all a and b with a + b = 0 or 1 modulo n - 1; the last seat is
    linked with whoever would be linked to itself."""
    last = seats - 1
    others = lambda a: [b if b != a else last for b in (-a % last, (1 - a) % last)]
    return [a for a in range(last) if last in others(a)] if seat == last else others(seat)


def neighbours_of(known, seat):
    """Whom a seat is linked with in a key's first round."""
    seats, t = len(known["inputs"]), known["params"].get("collusion", "")
    if t == "":
        return [other for other in range(seats) if other != seat]
    if known["service"] == "kdk" and int(t) <= 1:
        return circle(seat, seats)
    return around(seat, seats, int(t))


def proven(context, seat, key, proof):
    """Whether (e, s) proves that somebody knows the x of X = x G: e = H(context, X, s G - e X)."""
    bound = hashed(b"next-key/v1", context, seat.to_bytes(8, "big"))
    challenge, response = (int.from_bytes(part, "little") for part in (proof[:32], proof[32:]))
    assert max(challenge, response) < ORDER, "no canonical scalar"
    nonce = encoded(add(times(response, BASE), minus(times(challenge, point(key)))))
    return challenge == wide(b"possession/v1", bound, key, nonce)


def in_steps(known):
    """What each seat hides: the steps of its value above the lowest, or of all its cells in one number, each
    cell with a digit that is large enough for the sum of all seats. The figures are checked on the way."""
    decimals = int(known["params"].get("decimals") or 0)
    low, high = (units(known["params"].get(end) or other, decimals) for end, other in (("min", "0"), ("max", "100")))
    names = [name.strip() for name in (known["params"].get("cells") or "").split(",")]
    rows = [[units(text, decimals) for text in row] for row in known["inputs"]]
    sums = [("sum", name, decimal(sum(row[at] for row in rows), decimals)) for at, name in enumerate(names)]
    found = [(figure["name"], figure["label"], figure["value"]) for figure in known["figures"]]
    assert sums == found, f"the inputs add up to {sums}"
    base = len(rows) * (high - low) + 1
    return [sum((value - low) * base**at for at, value in enumerate(row)) for row in rows]


def check_group(known):
    """The sum, each value and the keys of one file of a method in a group."""
    values = in_steps(known)
    context, keys = bytes.fromhex(known["seeds"]["context"]), known["seeds"]["keys"]
    messages = {it["from"]: bytes.fromhex(it["bytes"]) for it in known["messages"]}
    assert sorted(messages) == list(range(len(values))) and len(known["messages"]) == len(values)
    total = total_of(point(it[:32]) for it in messages.values())
    assert encoded(total) == encoded(times(sum(values), BASE)), "the messages add up to others"
    rounds = 1 if known["service"] == "kdk" else bounded(known, len(values))[0]
    for seat, value in enumerate(values):
        message = messages[seat]
        # With the last round of a key comes the next.
        lengths = {"kdk": (32, 128)}.get(known["service"], (128 if rounds == 1 else 32,))
        assert len(message) == known["log_bytes"] and len(message) in lengths, f"seat {seat} sends {len(message)} bytes"
        assert message[:32] == hidden(known, seat, value), f"seat {seat} sends another value"
        if len(message) == 32:
            continue
        assert message[32:64] == encoded(times(secret(keys[seat][1]), BASE)), f"seat {seat} sends another key"
        assert proven(context, seat, message[32:64], message[64:]), f"seat {seat} proves nothing"


# --- the method `kdk-pairing` on BLS12-381 --------------------------------------------------------------------


def paired_secret(seed):
    state = hashlib.sha512()
    for field in [b"undertone", b"pairing-key/v1", bytes.fromhex(seed)]:
        state.update(len(field).to_bytes(8, "big") + field)
    return int.from_bytes(state.digest(), "big") % R381


def check_paired(known):
    """Sum and messages of one file of `kdk-pairing`: v_i = E^(x_i (sum_{j>i} x_j - sum_{j<i} x_j)) g^(m_i) with
    one E for all seats, whichever point the round is hashed to."""
    values = in_steps(known)
    messages = {it["from"]: bytes.fromhex(it["bytes"]) for it in known["messages"]}
    assert sorted(messages) == list(range(len(values))) and len(known["messages"]) == len(values)
    assert all(len(it) == known["log_bytes"] == 288 for it in messages.values())
    g, product = pairing_of_generators(), Tower.ONE
    elements = [target(messages[seat]) for seat in range(len(values))]
    for it in elements:
        product = Tower.times(product, it)
    assert product == Tower.power(g, sum(values)), "the messages multiply to others"
    x = [paired_secret(current) for current, _ in known["seeds"]["keys"]]
    rounds = set()
    for seat, (value, element) in enumerate(zip(values, elements)):
        others = sum(x[other] if other > seat else -x[other] for other in neighbours_of(known, seat))
        mask = Tower.times(element, Tower.inverse(Tower.power(g, value)))
        rounds.add(Tower.power(mask, pow(x[seat] * others, -1, R381)))
    assert len(rounds) == 1 and Tower.ONE not in rounds, "seats send values of different rounds"


# --- numbers ------------------------------------------------------------------------------------


def units(text, decimals):
    """A decimal in its smallest unit, exactly. A comma serves as the point."""
    value = Fraction(text.replace(",", ".")) * 10**decimals
    assert value.denominator == 1, f"{text} has more than {decimals} decimals"
    return value.numerator


def decimal(number, decimals):
    digits = str(abs(number)).rjust(decimals + 1, "0")
    text = digits[:-decimals] + "." + digits[-decimals:] if decimals else digits
    return ("-" if number < 0 else "") + text


def mean(total, count, decimals):
    """Two more decimals than declared, rounded half to even, without zeros that say nothing."""
    exact = Fraction(total, count) * 100
    # Python rounds fractions half to even as well.
    number, places = round(exact), decimals + 2
    while places > decimals and number % 10 == 0:
        number, places = number // 10, places - 1
    return decimal(number, places), exact.denominator != 1


# --- what each service makes of its columns -----------------------------------------------------


class Sum:
    def columns(known, rows):
        return [sum(rows)]

    def figures(known, sums, decimals):
        return [("sum", "", decimal(sums[0], decimals), False)]


class Mean:
    def columns(known, rows):
        return [sum(rows), len(rows)]

    def figures(known, sums, decimals):
        total, count = sums
        return [
            ("sum", "", decimal(total, decimals), False),
            ("count", "", str(count), False),
            ("mean", "", *mean(total, count, decimals)),
        ]


class VectorSum:
    def cells(known):
        return [name.strip() for name in (known["params"].get("cells") or "Yes, No").split(",")]

    def columns(known, rows):
        assert len(rows) == len(VectorSum.cells(known))
        return rows

    def figures(known, sums, decimals):
        assert len(sums) == len(VectorSum.cells(known))
        return [("sum", cell, decimal(total, decimals), False) for cell, total in zip(VectorSum.cells(known), sums)]


class Shares:
    """One value or one for each cell, and of how many people the sum is."""

    def columns(known, rows):
        assert len(rows) == len(Shares.cells(known))
        return rows

    def cells(known):
        return [name.strip() for name in (known["params"].get("cells") or "").split(",")]

    def figures(known, sums, decimals):
        people = ("people", "", str(len(known["inputs"])), False)
        return [("sum", cell, decimal(total, decimals), False) for cell, total in zip(Shares.cells(known), sums)] + [people]


FIELD = 2**127 - 1


def number(value):
    return value.to_bytes(8, "big")


def at_zero(values):
    """The value at 0 of the polynomial with these values at 1, 2, ..."""
    total = 0
    for i, value in values.items():
        for j in values:
            if j != i:
                value = value * j * pow(j - i, -1, FIELD) % FIELD
        total += value
    total %= FIELD
    return total - FIELD if total > FIELD // 2 else total


def check_shares(known):
    """Every envelope, check, signed set and share of a sum of one file."""
    decimals, people, computers = int(known["params"].get("decimals") or 0), len(known["inputs"]), known["computers"]
    columns = [Shares.columns(known, [units(row, decimals) for row in rows]) for rows in known["inputs"]]
    told = [(it["name"], it["label"], it["value"], it["rounded"]) for it in known["figures"]]
    plain = [sum(column) for column in zip(*columns)]
    assert Shares.figures(known, plain, decimals) == told, "the inputs add up to other figures"
    context = bytes.fromhex(known["seeds"]["context"])
    said = {(it["from"], it["round"]): bytes.fromhex(it["bytes"]) for it in known["messages"]}
    assert len(said) == len(known["messages"]) == people + 3 * computers
    adding = range(people, people + computers)
    pads = {tuple(pad["seats"]): bytes.fromhex(pad["key"]) for pad in known["seeds"]["pads"]}
    field = known["params"].get("scheme") == "shamir"
    enough = int(known["params"].get("threshold") or 2) if field else computers

    shares, hashes = {}, []
    for seat in range(people):
        deal = said[seat, 0]
        assert len(deal) == known["log_bytes"], f"seat {seat} says more or less than it costs"
        hashes.append(hashed(b"share-deal/v1", context, number(seat), deal))
        each = len(deal) // computers
        for place, computer in enumerate(adding):
            bound = hashed(b"share-envelope/v1", context, number(0), number(seat), number(computer))
            key = chacha12(derived(pads[seat, computer], b"pad/v1", bound), 32)
            data = opened(key, bound, deal[place * each : (place + 1) * each])
            size = 16 if field else len(data) // len(plain)
            shares[seat, computer] = words(data, size)
    modulus = FIELD if field else 1 << 8 * size

    held = hashed(b"share-view/v1", context, *(part for seat, it in enumerate(hashes) for part in (number(seat), it)))
    bits = sum(1 << seat for seat in range(people)).to_bytes(-(-people // 8), "little")
    checks = []
    for computer in adding:
        values = []
        for seat in range(people) if field else ():
            *elements, mask = shares[seat, computer]
            r = int.from_bytes(hashed(b"share-challenge/v1", hashes[seat])[:16], "little") % FIELD
            values.append((sum(pow(r, at + 1, FIELD) * it for at, it in enumerate(elements)) + mask) % FIELD)
        check = bits + held + b"".join(value.to_bytes(16, "little") for value in values)
        assert said[computer, 1] == check, f"seat {computer} checks other shares"
        checks.append(hashed(b"share-check/v1", context, check))
    of = (1 << computers) - 1
    set_hash = hashed(b"share-set/v1", context, number(of), number(0), *checks, *[number(1)] * people)

    sums = {}
    for place, computer in enumerate(adding):
        assert said[computer, 2] == of.to_bytes(2, "big") + set_hash, f"seat {computer} signs another set"
        total = [sum(shares[seat, computer][at] for seat in range(people)) % modulus for at in range(len(plain))]
        assert said[computer, 3] == b"".join(it.to_bytes(size, "little") for it in total), f"seat {computer} says another sum"
        assert sum(len(said[computer, turn]) for turn in (1, 2, 3)) == known["compute_bytes"]
        sums[place + 1] = total
    for at, right in enumerate(plain):
        if field:
            some = dict(list(sums.items())[-enough:])
            result = at_zero({x: total[at] for x, total in some.items()})
        else:
            result = signed(sum(total[at] for total in sums.values()) % modulus, size)
        assert result == right, "the messages add up to others"


SEED_OWN, SEED_PAIRS = 0, 1


def pair_key(key, other, context):
    """The key of two seats' pads out of one's exponent and the other's point."""
    mine, theirs = encoded(times(key, BASE)), other
    return derived(encoded(times(key, point(other))), b"pair-key/v1", min(mine, theirs), max(mine, theirs), context)


def check_resilient(known):
    """Every deal, masked value, word on the set and opening of one file where people may vanish; and the sum by
    nothing but what the openings show."""
    service, decimals = FAMILY[known["service"]], int(known["params"].get("decimals") or 0)
    columns = [service.columns(known, [units(row, decimals) for row in rows]) for rows in known["inputs"]]
    told = [(it["name"], it["label"], it["value"], it["rounded"]) for it in known["figures"]]
    plain = [sum(column) for column in zip(*columns)]
    assert service.figures(known, plain, decimals) == told, "the inputs add up to other figures"
    people, context = range(len(columns)), bytes.fromhex(known["seeds"]["context"])
    seeds = [bytes.fromhex(it) for it in known["seeds"]["seats"]]
    pads = {tuple(pad["seats"]): bytes.fromhex(pad["key"]) for pad in known["seeds"]["pads"]}
    said = {(it["from"], it["round"], it["kind"]): bytes.fromhex(it["bytes"]) for it in known["messages"]}
    deals = [bytes.fromhex(it) for it in known["deals"]]
    assert len(said) == len(known["messages"]) == 3 * len(people) and len(deals) == len(people)
    enough = len(people) - known["drops"]

    def seed(seat, kind):
        data = derived(seeds[seat], b"round-seed/v1", context, bytes([kind]))
        return int.from_bytes(data[:16], "little") % FIELD

    def exponent(seat, value):
        data = derived(value.to_bytes(16, "little"), b"round-key/v1", context, number(seat))
        return wide(b"agreement-key/v1", data)

    shares = {}
    for seat, deal in enumerate(deals):
        assert len(deal) == known["deal_bytes"], f"seat {seat} deals more or less than it costs"
        assert deal[:32] == encoded(times(exponent(seat, seed(seat, SEED_PAIRS)), BASE)), f"seat {seat} shows another key"
        own = seed(seat, SEED_OWN).to_bytes(16, "little")
        assert deal[32:64] == hashed(b"self-seed/v1", context, number(seat), own), f"seat {seat} commits to another seed"
        for holder in people:
            part = deal[64 + 104 * holder : 64 + 104 * (holder + 1)]
            bound = hashed(b"seed-envelope/v1", context, number(seat), number(holder))
            if holder == seat:
                key = derived(seeds[seat], b"own-envelope/v1", bound)
            else:
                key = chacha12(derived(pads[min(seat, holder), max(seat, holder)], b"pad/v1", bound), 32)
            both = opened(key, bound, part[32:])
            for kind in (SEED_OWN, SEED_PAIRS):
                share = both[16 * kind : 16 * (kind + 1)]
                check = hashed(b"seed-share/v1", context, number(seat), number(holder), number(kind), share)[:16]
                assert part[16 * kind : 16 * (kind + 1)] == check, f"seat {seat} deals what it does not show"
                shares[seat, holder, kind] = share
        for kind in (SEED_OWN, SEED_PAIRS):
            held = {holder + 1: int.from_bytes(shares[seat, holder, kind], "little") for holder in people}
            for some in (dict(list(held.items())[:enough]), dict(list(held.items())[-enough:])):
                assert at_zero(some) % FIELD == seed(seat, kind), f"seat {seat} deals shares of another seed"

    masked_values = [said[seat, 0, "masked"] for seat in people]
    size = len(masked_values[0]) // len(plain)
    round_context = hashed(b"resilient-round/v1", context, number(0))

    def pad(key):
        return words(chacha12(derived(key, b"pad/v1", round_context), size * len(plain)), size)

    def self_mask(seat, value):
        return pad(derived(value.to_bytes(16, "little"), b"self-mask/v1", context, number(seat)))

    for seat, values in enumerate(columns):
        total = [one + two for one, two in zip(values, self_mask(seat, seed(seat, SEED_OWN)))]
        for other in people:
            if other != seat:
                both = pair_key(exponent(seat, seed(seat, SEED_PAIRS)), deals[other][:32], context)
                shared = pad(derived(both, b"round-pair/v1", number(min(seat, other)), number(max(seat, other))))
                total = [one + (two if seat < other else -two) for one, two in zip(total, shared)]
        data = b"".join((word % (1 << 8 * size)).to_bytes(size, "little") for word in total)
        assert masked_values[seat] == data, f"seat {seat} sends other bytes"

    members = [part for seat in people for part in (number(seat), masked_values[seat])]
    the_set = hashed(b"included-set/v1", context, number(len(people)), *members)
    word = sum(1 << seat for seat in people).to_bytes(-(-len(people) // 8), "little") + the_set
    for seat in people:
        assert said[seat, 1, "share"] == word, f"seat {seat} says another set"
        shown = the_set + b"".join(shares[dealer, seat, SEED_OWN] for dealer in people)
        assert said[seat, 2, "opening"] == shown, f"seat {seat} opens something else"
        sizes = [len(said[seat, turn, kind]) for turn, kind in enumerate(("masked", "share", "opening"))]
        assert sum(sizes) == known["log_bytes"], f"seat {seat} says more or less than it costs"

    total = [sum(column) for column in zip(*(words(it, size) for it in masked_values))]
    for dealer in people:
        at = 32 + 16 * dealer
        open_shares = {it + 1: int.from_bytes(said[it, 2, "opening"][at : at + 16], "little") for it in people}
        mask = self_mask(dealer, at_zero(dict(list(open_shares.items())[:enough])) % FIELD)
        total = [one - two for one, two in zip(total, mask)]
    result = [signed(one % (1 << 8 * size), size) for one in total]
    assert service.figures(known, result, decimals) == told, "the messages add up to others"


OTHERS = {"kdk": check_group, "pcl": check_group, "kdk-pairing": check_paired, "shares": check_shares}
FAMILY = {"sum": Sum, "mean": Mean, "vector-sum": VectorSum}


def check(known):
    """All that can be recomputed of one file of the method `masks`."""
    if known.get("drops"):
        check_resilient(known)
        return
    service = FAMILY[known["service"]]
    decimals = int(known["params"].get("decimals") or 0)
    columns = [service.columns(known, [units(row, decimals) for row in rows]) for rows in known["inputs"]]
    told = [(it["name"], it["label"], it["value"], it["rounded"]) for it in known["figures"]]
    plain = [sum(column) for column in zip(*columns)]
    assert service.figures(known, plain, decimals) == told, "the inputs add up to other figures"

    messages = {it["from"]: bytes.fromhex(it["bytes"]) for it in known["messages"]}
    assert sorted(messages) == list(range(len(columns))) and len(known["messages"]) == len(columns)
    assert all((it["round"], it["kind"]) == (0, "masked") for it in known["messages"])
    size, rest = divmod(len(messages[0]), len(plain))
    assert size in (8, 16) and rest == 0 and all(len(it) == known["log_bytes"] for it in messages.values())
    total = [sum(column) % (1 << 8 * size) for column in zip(*(words(it, size) for it in messages.values()))]
    assert service.figures(known, [signed(word, size) for word in total], decimals) == told, "the messages add up to others"

    for seat, values in enumerate(columns):
        assert masked(known, seat, values, size) == messages[seat], f"seat {seat} sends other bytes"


def main(folder):
    read, bad, unknown = 0, 0, []
    for path in sorted(folder.glob("*/known/*.json")):
        known = json.loads(path.read_text(encoding="utf-8"))
        assert known["service"] == path.parts[-3] and known["vector"] == path.stem, path
        if "fault" in known:
            assert all(known["fault"][key] for key in ("code", "field", "message")), path
            bad += 1
        elif known["service"] not in FAMILY and known["service"] not in OTHERS:
            unknown.append(f"{known['service']}/{known['vector']}")
        else:
            try:
                OTHERS.get(known["service"], check)(known)
            except AssertionError as error:
                raise SystemExit(f"{path}: {error}")
            read += 1
    assert read > 0, f"no known answers in {folder}"
    print(f"{read} runs recomputed, {bad} refusals read, not read: {', '.join(unknown) or 'none'}")


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2] / "crate/services/src"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here)
