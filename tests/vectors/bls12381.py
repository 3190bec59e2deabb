"""The pairing of BLS12-381 with integers only, slow and plain: what `decode.py` reads `kdk-pairing` with."""

from functools import cache

P381 = int("1a0111ea397fe69a4b1ba7b6434bacd764774b84f38512bf6730d2a0f6b0f6241eabfffeb153ffffb9feffffffffaaab", 16)
R381 = int("73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001", 16)
U381 = -0xD201000000010000


class Tower:
    """F_p12 as polynomials in w of degree below 12 over F_p: w^12 = 2 w^6 - 2, so that u = w^6 - 1 is the
    root of -1 and v = w^2 the root of 1 + u that the usual tower has."""

    @staticmethod
    def of(*terms):
        """Terms (power of w, coefficient of 1, coefficient of u)."""
        z = [0] * 12
        for power, one, u in terms:
            z[power] += one - u
            z[power + 6] += u
        return tuple(it % P381 for it in z)

    @staticmethod
    def times(a, b):
        z = [0] * 23
        for i, one in enumerate(a):
            if one:
                for j, two in enumerate(b):
                    z[i + j] += one * two
        for i in range(22, 11, -1):
            z[i - 6] += 2 * z[i]
            z[i - 12] -= 2 * z[i]
        return tuple(it % P381 for it in z[:12])

    @staticmethod
    def power(a, k):
        z = Tower.ONE
        for bit in bin(k)[2:]:
            z = Tower.times(z, z)
            z = Tower.times(z, a) if bit == "1" else z
        return z

    @staticmethod
    def inverse(a):
        """By Euclid's algorithm on polynomials."""
        low, high = [1] + [0] * 12, [0] * 13
        r0, r1 = list(a) + [0], [2, 0, 0, 0, 0, 0, -2, 0, 0, 0, 0, 0, 1]
        degree = lambda f: max((i for i, it in enumerate(f) if it % P381), default=0)
        while degree(r0):
            quotient = [0] * 13
            rest, lead = list(r1), pow(r0[degree(r0)], -1, P381)
            for i in range(degree(r1) - degree(r0), -1, -1):
                quotient[i] = rest[i + degree(r0)] * lead % P381
                for j in range(degree(r0) + 1):
                    rest[i + j] = (rest[i + j] - quotient[i] * r0[j]) % P381
            new = list(high)
            for i in range(13):
                for j in range(13 - i):
                    new[i + j] = (new[i + j] - low[i] * quotient[j]) % P381
            low, high, r0, r1 = new, low, rest, r0
        scale = pow(r0[0], -1, P381)
        return tuple(it * scale % P381 for it in low[:12])


Tower.ONE = Tower.of((0, 1, 0))
minus12 = lambda a: tuple(-it % P381 for it in a)
plus12 = lambda a, b: tuple((one + two) % P381 for one, two in zip(a, b))


@cache
def pairing_of_generators():
    """g = e(P_1, P_2): Miller's loop with lines as they are in every textbook, and the power that brings its
    value into the group, three times as high as it had to be, as it is usual for this curve."""
    x1, y1 = (
        int("17f1d3a73197d7942695638c4fa9ac0fc3688c4f9774b905a14e3a3f171bac586c55e83ff97a1aeffb3af00adb22c6bb", 16),
        int("08b3f481e3aaa0f1a09e30ed741d8ae4fcf5e095d5d00af600db18cb2c04b3edd03cc744a2888ae40caa232946c5e7e1", 16),
    )
    x2 = (
        int("024aa2b2f08f0a91260805272dc51051c6e47ad4fa403b02b4510b647ae3d1770bac0326a805bbefd48056c8c121bdb8", 16),
        int("13e02b6052719f607dacd3a088274f65596bd0d09920b61ab5da61bbdc7f5049334cf11213945d57e5ac7d055d042b7e", 16),
    )
    y2 = (
        int("0ce5d527727d6e118cc9cdc6da2e351aadfd9baa8cbdd3a76d429a695160d12c923ac9cc3baca289e193548608b82801", 16),
        int("0606c4a02ea734cc32acd2b02bc28b99cb3e287e85a763af267492ab572e99ab3f370d275cec1da1aaa9075ff05f79be", 16),
    )
    t = Tower.times
    # From the twist y^2 = x^3 + 4 (1 + u): x / w^2 and y / w^3.
    w = Tower.of((1, 1, 0))
    into = Tower.inverse(t(w, w))
    Q = t(Tower.of((0, *x2)), into), t(Tower.of((0, *y2)), t(into, Tower.inverse(w)))
    x, y = Q
    f = Tower.ONE
    px, py = Tower.of((0, x1, 0)), Tower.of((0, y1, 0))

    def line(slope):
        return plus12(plus12(py, minus12(y)), minus12(t(slope, plus12(px, minus12(x)))))

    for bit in bin(-U381)[3:]:
        for other in [None] + ([Q] if bit == "1" else []):
            if other is None:
                square = t(x, x)
                slope = t(plus12(square, plus12(square, square)), Tower.inverse(plus12(y, y)))
                f, (xo, _) = t(t(f, f), line(slope)), (x, y)
            else:
                xo, yo = other
                slope = t(plus12(yo, minus12(y)), Tower.inverse(plus12(xo, minus12(x))))
                f = t(f, line(slope))
            x3 = plus12(t(slope, slope), minus12(plus12(x, xo)))
            y = plus12(t(slope, plus12(x, minus12(x3))), minus12(y))
            x = x3
    # u is negative, and p^6 conjugates.
    f = Tower.inverse(f)
    return Tower.power(f, 3 * ((P381**12 - 1) // R381))


def target(data):
    """Decodes an element: c in F_p6 stands for (c + w)^2 / (c^2 - v), zero for the neutral one."""
    assert len(data) == 288
    numbers = [int.from_bytes(data[at : at + 48], "big") for at in range(0, 288, 48)]
    assert all(it < P381 for it in numbers), "no canonical element"
    c = Tower.of(*((2 * i, numbers[2 * i + 1], numbers[2 * i]) for i in range(3)))
    if not any(c):
        return Tower.ONE
    root = plus12(c, Tower.of((1, 1, 0)))
    down = plus12(Tower.times(c, c), minus12(Tower.of((2, 1, 0))))
    z = Tower.times(Tower.times(root, root), Tower.inverse(down))
    assert Tower.power(z, R381) == Tower.ONE, "an element of another order"
    return z
