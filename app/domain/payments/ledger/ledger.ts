import type { Db } from '#app/db/client.ts';
import { plainAmount } from '#app/domain/payments/money.ts';
import { listPlanSpans } from '#app/domain/payments/subscription/spans.ts';
import { BYTE_ORDER_MARK, csvLine, formatIsoInZone } from '#app/domain/platform/csv.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { type LedgerEntry, toEntries } from './entries.ts';
import { listPaid, listRequestRows } from './rows.ts';

export async function getLedger(
  db: Db,
  userId: string,
  now = new Date(),
): Promise<{ payer: LedgerUser; entries: LedgerEntry[] }> {
  const payer = isId(userId) ? await findUser(db, userId) : undefined;
  if (!payer) throw notFound('This user');
  const [requests, payments, spans] = [
    await listRequestRows(db, userId),
    await listPaid(db, userId),
    await listPlanSpans(db, [userId]),
  ];
  return { payer, entries: toEntries(requests, payments, spans, now) };
}

const findUser = (db: Db, userId: string) =>
  db
    .selectFrom('users')
    .select(['id', 'name', 'email', 'timeZone'])
    .where('id', '=', userId)
    .executeTakeFirst();
type LedgerUser = NonNullable<Awaited<ReturnType<typeof findUser>>>;

const COLUMNS = [
  'When',
  'What',
  'Reference',
  'Plan',
  'Amount',
  'Currency',
  'From',
  'To',
  'By',
  'Transaction ID',
  'Note',
];

export async function exportLedger(db: Db, userId: string): Promise<string> {
  const { payer, entries } = await getLedger(db, userId);
  const formatDate = (at: Date | null) => formatIsoInZone(at, payer.timeZone);
  const rows = entries.map(({ at, what, reference, plan, amountMinor, currencyCode, from, to, ...rest }) =>
    csvLine([
      formatDate(at),
      what,
      reference,
      plan,
      amountMinor === null ? null : plainAmount(amountMinor),
      currencyCode,
      formatDate(from),
      formatDate(to),
      rest.by,
      rest.transactionId,
      rest.note,
    ]),
  );
  return BYTE_ORDER_MARK + csvLine(COLUMNS) + rows.join('');
}
