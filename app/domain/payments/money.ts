/** Money is in minor units everywhere; all our currencies have two decimals. */
const MINOR_PER_MAJOR = 100;

/** Shown for a number of posts without a price (specification). */
export const FALLBACK_PRICE_MINOR = 1_000;

type Currency = { code: string };

export const toMajor = (minor: number) => minor / MINOR_PER_MAJOR;

/** Returns undefined for fractions of a minor unit. */
export function toMinor(major: number): number | undefined {
  const minor = Math.round(major * MINOR_PER_MAJOR);
  return Number.isSafeInteger(minor) && minor / MINOR_PER_MAJOR === major ? minor : undefined;
}

/** For payment links and fields: "1599.00". */
export const plainAmount = (minor: number) => toMajor(minor).toFixed(2);

/** Cached, because creating a formatter takes longer than all formatting in a page. */
const formats = new Map<string, Intl.NumberFormat>();

/** "$6", "₹249.50", "AED 22". The dirham's own sign is written from right to left and would change places with the number. */
export function formatPrice(minor: number, { code }: Currency): string {
  const style = { style: 'currency', currency: code, trailingZeroDisplay: 'stripIfInteger' } as const;
  const format = formats.get(code) ?? new Intl.NumberFormat('en-US', style);
  formats.set(code, format);
  return format.format(toMajor(minor));
}

/** With the code, unless it is the symbol: "$9.50 USD", "AED 22". */
export function formatMoney(minor: number, currency: Currency): string {
  const price = formatPrice(minor, currency);
  return price.startsWith(currency.code) ? price : `${price} ${currency.code}`;
}
