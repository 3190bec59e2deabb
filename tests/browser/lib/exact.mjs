/** Exact decimals, computed here once more: what the room must show, digit for digit. */

/** Decimals of a mean beyond the declared ones. */
const MORE_DECIMALS = 2n;

/** `units / 10^decimals` as text, with all its decimals. */
export function decimal(units, decimals) {
  const sign = units < 0n ? "-" : "";
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  if (decimals === 0) return sign + digits;
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The quotient with two more decimals, rounded half to even, without zeros beyond the declared decimals. */
export function mean(sum, count, decimals) {
  const scaled = sum * 10n ** MORE_DECIMALS;
  let quotient = divideHalfEven(scaled, count);
  let places = decimals + Number(MORE_DECIMALS);
  while (places > decimals && quotient % 10n === 0n) {
    quotient /= 10n;
    places -= 1;
  }
  return decimal(quotient, places);
}

export function divideHalfEven(dividend, divisor) {
  const negative = dividend < 0n;
  const magnitude = negative ? -dividend : dividend;
  const [whole, rest] = [magnitude / divisor, magnitude % divisor];
  const up = 2n * rest > divisor || (2n * rest === divisor && whole % 2n === 1n);
  const rounded = whole + (up ? 1n : 0n);
  return negative ? -rounded : rounded;
}

export const total = (values) => values.reduce((sum, value) => sum + value, 0n);
