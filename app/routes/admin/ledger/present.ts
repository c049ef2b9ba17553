import type { LedgerEntry } from '#app/domain/payments/ledger/entries.ts';
import type { getLedger } from '#app/domain/payments/ledger/ledger.ts';
import { formatMoney, formatPrice } from '#app/domain/payments/money.ts';
import { formatMinute, formatTimeZone } from '#app/domain/platform/dates.ts';

type Ledger = Awaited<ReturnType<typeof getLedger>>;

function presentEntry(entry: LedgerEntry, index: number, timeZone: string) {
  const {
    kind,
    what,
    at,
    reference,
    plan,
    amountMinor,
    currencyCode,
    from,
    to,
    by,
    note,
    transactionId,
    lost,
  } = entry;
  const minute = (instant: Date) => formatMinute(instant, timeZone);
  // Of two that stand in a line each is kept whole.
  const whole = (instant: Date) => minute(instant).replaceAll(' ', '\u00a0');
  return {
    key: `${index}`,
    kind,
    what,
    reference,
    plan,
    by,
    note,
    transactionId,
    lost,
    at: { iso: at.toISOString(), text: minute(at) },
    amount: amountMinor === null ? null : formatMoney(amountMinor, { code: currencyCode }),
    span: from && to ? `${whole(from)} to ${whole(to)}` : null,
  };
}

/** What was really paid in each currency. */
function sumsOf(entries: LedgerEntry[]) {
  const verified = entries.filter(({ kind }) => kind === 'verified');
  return [...Map.groupBy(verified, ({ currencyCode }) => currencyCode)].map(([code, rows]) => {
    const minor = rows.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
    return { code, paid: formatPrice(minor, { code }), payments: rows.length };
  });
}

/** Everything of a payer's money in words, by the payer's clock. */
export function presentLedger({ payer, entries }: Ledger) {
  const { id, name, email, timeZone } = payer;
  return {
    payer: { id, name, email },
    zone: formatTimeZone(timeZone),
    sums: sumsOf(entries),
    entries: entries.map((entry, index) => presentEntry(entry, index, timeZone)),
  };
}

export type DescribedLedger = ReturnType<typeof presentLedger>;
