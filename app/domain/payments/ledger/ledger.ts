import type { Db } from '#app/db/client.ts';
import { plainAmount } from '#app/domain/payments/money.ts';
import { listPieces } from '#app/domain/payments/subscription/spans.ts';
import { BYTE_ORDER_MARK, inZone, line } from '#app/domain/platform/csv.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound } from '#app/domain/platform/refusal.ts';
import { type LedgerEntry, toEntries } from './entries.ts';
import { listPaid, listRequestRows } from './rows.ts';

/** Everything of a user's money, oldest first: each request, proof, decision, credit and period. */
export async function getLedger(
  db: Db,
  userId: string,
  now = new Date(),
): Promise<{ payer: LedgerUser; entries: LedgerEntry[] }> {
  const payer = isId(userId) ? await findUser(db, userId) : undefined;
  if (!payer) throw notFound('This user');
  const [asked, paid, pieces] = [
    await listRequestRows(db, userId),
    await listPaid(db, userId),
    await listPieces(db, [userId]),
  ];
  return { payer, entries: toEntries(asked, paid, pieces, now) };
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

/** The same as CSV, in the time zone of the user. */
export async function exportLedger(db: Db, userId: string): Promise<string> {
  const { payer, entries } = await getLedger(db, userId);
  const zoned = (at: Date | null) => inZone(at, payer.timeZone);
  const rows = entries.map(({ at, what, reference, plan, amountMinor, currencyCode, from, to, ...more }) =>
    line([
      zoned(at),
      what,
      reference,
      plan,
      amountMinor === null ? null : plainAmount(amountMinor),
      currencyCode,
      zoned(from),
      zoned(to),
      more.by,
      more.transactionId,
      more.note,
    ]),
  );
  return BYTE_ORDER_MARK + line(COLUMNS) + rows.join('');
}
