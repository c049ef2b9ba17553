/** Money is whole minor units everywhere; every currency we price has two decimals. */
const MINOR_PER_MAJOR = 100;

/** Shown for a number of posts that has no price, as the specification says. */
export const FALLBACK_PRICE_MINOR = 1_000;

export type Currency = { code: string; symbol: string };

/** Major units as a number, for the API: 950 is 9.5. */
export const toMajor = (minor: number) => minor / MINOR_PER_MAJOR;

/** Minor units, or undefined when the number has a fraction of one. */
export function toMinor(major: number): number | undefined {
  const minor = Math.round(major * MINOR_PER_MAJOR);
  return Number.isSafeInteger(minor) && minor / MINOR_PER_MAJOR === major ? minor : undefined;
}

/** Two decimals and no separators, as payment links and fields want it: "1599.00". */
export const plainAmount = (minor: number) => toMajor(minor).toFixed(2);

const inDigits = (digits: number) =>
  new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits });
/** Made once: making one takes longer than all that it formats in a page. */
const [WHOLE, WITH_MINOR] = [inDigits(0), inDigits(2)];

/** For people, with the symbol: "$6", "₹249.50". */
export function formatPrice(minor: number, { symbol }: Pick<Currency, 'symbol'>): string {
  const format = minor % MINOR_PER_MAJOR === 0 ? WHOLE : WITH_MINOR;
  return `${symbol}${format.format(toMajor(minor))}`;
}

/** For people, with symbol and code: "$9.50 USD". */
export const formatMoney = (minor: number, currency: Currency) =>
  `${formatPrice(minor, currency)} ${currency.code}`;
