"""Reads the known answers of all services without any of the project's code.

Two things are recomputed from each file, with nothing but Python's integers and hashes: what comes out,
from the inputs as they are written and from the masked messages added up; and every masked message
itself, from the input and the keys of the pads. It knows the services of the method `masks` and names
those that it does not know.

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


def chacha12(key, length):
    """So many bytes of the stream under a key that is used once: nonce and counter start at 0."""
    out = b""
    counter = 0
    while len(out) < length:
        start = [*struct.unpack("<4I", b"expand 32-byte k"), *struct.unpack("<8I", key), counter, 0, 0, 0]
        x = list(start)
        for _ in range(6):
            for i in range(4):
                quarter(x, i, 4 + i, 8 + i, 12 + i)
            for i in range(4):
                quarter(x, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
        out += struct.pack("<16I", *((one + two) & MASK32 for one, two in zip(x, start)))
        counter += 1
    return out[:length]


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
        elif known["service"] not in FAMILY:
            unknown.append(f"{known['service']}/{known['vector']}")
        else:
            try:
                check(known)
            except AssertionError as error:
                raise SystemExit(f"{path}: {error}")
            read += 1
    assert read > 0, f"no known answers in {folder}"
    print(f"{read} runs recomputed, {bad} refusals read, not read: {', '.join(unknown) or 'none'}")


if __name__ == "__main__":
    here = Path(__file__).resolve().parents[2] / "crate/services/src"
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else here)
