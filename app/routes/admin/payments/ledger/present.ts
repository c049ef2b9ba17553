import type { LedgerEntry } from '#app/domain/payments/ledger/entries.ts';
import type { getLedger } from '#app/domain/payments/ledger/ledger.ts';
import { formatMoney, formatPrice } from '#app/domain/payments/money.ts';
import { formatMinute, formatTimeZone, presentTime } from '#app/domain/platform/dates.ts';

type Ledger = Awaited<ReturnType<typeof getLedger>>;

function presentEntry(entry: LedgerEntry, index: number, timeZone: string) {
  const { kind, what, reference, plan, by, note, transactionId, lost, from, to } = entry;
  // A line break may come between two times, but not inside one.
  const unbroken = (at: Date) => formatMinute(at, timeZone).replaceAll(' ', '\u00a0');
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
    at: presentTime(entry.at, timeZone),
    amount: entry.amountMinor === null ? null : formatMoney(entry.amountMinor, { code: entry.currencyCode }),
    span: from && to ? `${unbroken(from)} to ${unbroken(to)}` : null,
  };
}

function sumsOf(entries: LedgerEntry[]) {
  const verified = entries.filter(({ kind }) => kind === 'verified');
  return [...Map.groupBy(verified, ({ currencyCode }) => currencyCode)].map(([code, rows]) => {
    const minor = rows.reduce((sum, { amountMinor }) => sum + (amountMinor ?? 0), 0);
    return { code, paid: formatPrice(minor, { code }), payments: rows.length };
  });
}

/** In the time zone of the payer. */
export function presentLedger({ payer, entries }: Ledger) {
  const { id, name, email, timeZone } = payer;
  return {
    payer: { id, name, email },
    zone: formatTimeZone(timeZone),
    sums: sumsOf(entries),
    entries: entries.map((entry, index) => presentEntry(entry, index, timeZone)),
  };
}

export type PresentedLedger = ReturnType<typeof presentLedger>;
