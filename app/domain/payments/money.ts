/** Money is whole minor units everywhere; every currency we price has two decimals. */
const MINOR_PER_MAJOR = 100;

/** Shown for a number of posts that has no price, as the specification says. */
export const FALLBACK_PRICE_MINOR = 1_000;

type Currency = { code: string };

/** Major units as a number, for the API: 950 is 9.5. */
export const toMajor = (minor: number) => minor / MINOR_PER_MAJOR;

/** Minor units, or undefined when the number has a fraction of one. */
export function toMinor(major: number): number | undefined {
  const minor = Math.round(major * MINOR_PER_MAJOR);
  return Number.isSafeInteger(minor) && minor / MINOR_PER_MAJOR === major ? minor : undefined;
}

/** Two decimals and no separators, as payment links and fields want it: "1599.00". */
export const plainAmount = (minor: number) => toMajor(minor).toFixed(2);

/** Each made once: making one takes longer than all that it formats in a page. */
const formats = new Map<string, Intl.NumberFormat>();

/**
 * For people, as English writes it: "$6", "₹249.50". The dirham's own sign runs from right to left, and would change places
 * with its number: it is "AED 22", as it is written in English where it is paid with.
 */
export function formatPrice(minor: number, { code }: Currency): string {
  const style = { style: 'currency', currency: code, trailingZeroDisplay: 'stripIfInteger' } as const;
  const format = formats.get(code) ?? new Intl.NumberFormat('en-US', style);
  formats.set(code, format);
  return format.format(toMajor(minor));
}

/** For people, with symbol and code, where these are not the same: "$9.50 USD", "AED 22". */
export function formatMoney(minor: number, currency: Currency): string {
  const price = formatPrice(minor, currency);
  return price.startsWith(currency.code) ? price : `${price} ${currency.code}`;
}
