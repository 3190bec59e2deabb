"""Reads the known answers of all services without any of the project's code.

Two things are recomputed from each file, with nothing but Python's integers and hashes: what comes out,
from the inputs as they are written and from the masked messages added up; and every masked message
itself, from the input and the keys of the pads, or with `kdk` from the seats' keys. Of `pcl` it adds
the messages up and checks keys and proofs. Of `shares` it opens every envelope, adds the shares up again,
and recomputes all that those who add up say. It names the services that it does not know.

    python3 tests/vectors/decode.py [FOLDER]
"""

import hashlib
import hmac
import json
import struct
import sys
from fractions import Fraction
from pathlib import Path

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


def hidden(seat, keys, value):
    """V_i = x_i (sum_{j>i} U_j - sum_{j<i} U_j) + m_i G."""
    publics = [times(secret(current), BASE) for current, _ in keys]
    others = total_of(minus(it) if other < seat else it for other, it in enumerate(publics) if other != seat)
    return encoded(add(times(secret(keys[seat][0]), others), times(value, BASE)))


def proven(context, seat, key, proof):
    """Whether (e, s) proves that somebody knows the x of X = x G: e = H(context, X, s G - e X)."""
    bound = hashed(b"next-key/v1", context, seat.to_bytes(8, "big"))
    challenge, response = (int.from_bytes(part, "little") for part in (proof[:32], proof[32:]))
    nonce = encoded(add(times(response, BASE), minus(times(challenge, point(key)))))
    return challenge == wide(b"possession/v1", bound, key, nonce)


def check_group(known):
    """The sum and the keys of one file of a method in a group; of `kdk` each value by itself too."""
    decimals = int(known["params"].get("decimals") or 0)
    low = units(known["params"].get("min") or "0", decimals)
    values = [units(rows[0], decimals) for rows in known["inputs"]]
    (figure,) = known["figures"]
    assert decimal(sum(values), decimals) == figure["value"], "the inputs add up to other figures"
    context, keys = bytes.fromhex(known["seeds"]["context"]), known["seeds"]["keys"]
    messages = {it["from"]: bytes.fromhex(it["bytes"]) for it in known["messages"]}
    assert sorted(messages) == list(range(len(values))) and len(known["messages"]) == len(values)
    steps = sum(values) - low * len(values)
    total = total_of(point(it[:32]) for it in messages.values())
    assert encoded(total) == encoded(times(steps, BASE)), "the messages add up to others"
    for seat, value in enumerate(values):
        message = messages[seat]
        assert len(message) == known["log_bytes"] and len(message) in ((128,) if known["service"] == "kdk" else (32, 128))
        if known["service"] == "kdk":
            assert message[:32] == hidden(seat, keys, value - low), f"seat {seat} sends another value"
        if len(message) == 32:
            continue
        assert message[32:64] == encoded(times(secret(keys[seat][1]), BASE)), f"seat {seat} sends another key"
        assert proven(context, seat, message[32:64], message[64:]), f"seat {seat} proves nothing"


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


GROUPS = ("kdk", "pcl")
FAMILY = {"sum": Sum, "mean": Mean, "vector-sum": VectorSum}


def check(known):
    """All that can be recomputed of one file of the method `masks`."""
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
        elif known["service"] not in FAMILY and known["service"] not in (*GROUPS, "shares"):
            unknown.append(f"{known['service']}/{known['vector']}")
        else:
            try:
                by_shares = check_shares if known["service"] == "shares" else check
                (check_group if known["service"] in GROUPS else by_shares)(known)
            except AssertionError as error:
                raise SystemExit(f"{path}: {error}")
            read += 1
    assert read > 0, f"no known answers in {folder}"
    print(f"{read} runs recomputed, {bad} refusals read, not read: {', '.join(unknown) or 'none'}")


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2] / "crate/services/src"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here)
