"""Reads the known answers of all services without any of the project's code.

Two things are recomputed from each file, with nothing but Python's integers and hashes: what comes out,
from the inputs as they are written and from the masked messages added up; and every masked message
itself, from the input and the keys of the pads, or with `kdk` and `pcl` from the seats' keys, with the
next key and its proof where they ride along. It names the services that it does not know.

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


def block(key, counter):
    """64 bytes of the stream under a key that is used once, so the nonce is 0."""
    start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), counter, 0, 0, 0]
    x = list(start)
    for _ in range(6):
        for i in range(4):
            quarter(x, i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return struct.pack("<16I", *((one + two) & MASK32 for one, two in zip(x, start)))


def chacha12(key, length):
    """So many bytes of the stream from its start."""
    return b"".join(block(key, counter) for counter in range(-(-length // 64)))[:length]


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
    others = [other for other in range(seats) if other != seat]
    if known["service"] == "kdk":
        return [(other, 1 if seat < other else -1) for other in others]
    _, reach = bounded(known, seats)
    linked = [other for other in others if min((seat - other) % seats, (other - seat) % seats) <= reach]
    return [(other, coefficient(known, 0, seat, other)) for other in linked]


def hidden(known, seat, value):
    """V_i = x_i sum_j A_ij U_j + m_i G; with `kdk` A_ij is 1 for the higher seats and -1 for the lower."""
    keys = known["seeds"]["keys"]
    public = lambda other: times(secret(keys[other][0]), BASE)
    others = total_of(times(a % ORDER, public(other)) for other, a in neighbours(known, seat, len(keys)))
    return encoded(add(times(secret(keys[seat][0]), others), times(value, BASE)))


def proven(context, seat, key, proof):
    """Whether (e, s) proves that somebody knows the x of X = x G: e = H(context, X, s G - e X)."""
    bound = hashed(b"next-key/v1", context, seat.to_bytes(8, "big"))
    challenge, response = (int.from_bytes(part, "little") for part in (proof[:32], proof[32:]))
    assert max(challenge, response) < ORDER, "no canonical scalar"
    nonce = encoded(add(times(response, BASE), minus(times(challenge, point(key)))))
    return challenge == wide(b"possession/v1", bound, key, nonce)


def check_group(known):
    """The sum, each value and the keys of one file of a method in a group."""
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
    rounds = 1 if known["service"] == "kdk" else bounded(known, len(values))[0]
    for seat, value in enumerate(values):
        message = messages[seat]
        # With the last round of a key comes the next.
        assert len(message) == known["log_bytes"] == (128 if rounds == 1 else 32), f"seat {seat} sends {len(message)} bytes"
        assert message[:32] == hidden(known, seat, value - low), f"seat {seat} sends another value"
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
        elif known["service"] not in FAMILY and known["service"] not in GROUPS:
            unknown.append(f"{known['service']}/{known['vector']}")
        else:
            try:
                (check_group if known["service"] in GROUPS else check)(known)
            except AssertionError as error:
                raise SystemExit(f"{path}: {error}")
            read += 1
    assert read > 0, f"no known answers in {folder}"
    print(f"{read} runs recomputed, {bad} refusals read, not read: {', '.join(unknown) or 'none'}")


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2] / "crate/services/src"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here)
