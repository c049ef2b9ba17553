import type { Db } from '#app/db/client.ts';
import { readCredit } from '#app/domain/payments/checkout/requests.ts';
import { listPieces } from '#app/domain/payments/subscription/spans.ts';
import { type PaymentPreview, previewPayment, type Terms } from './preview.ts';

type Stored = Omit<Terms, 'credit'> & { id: string; userId: string | null; requestId: string | null };

/** What payments were asked for decides what their verification does. */
async function termsOf(db: Db, payments: Stored[]): Promise<Map<string, Terms>> {
  const ids = payments.flatMap(({ requestId }) => requestId ?? []);
  const rows = ids.length
    ? await db
        .selectFrom('paymentRequests')
        .select(['id', 'creditMinor', 'creditPaymentId', 'creditedFrom', 'creditedMs'])
        .where('id', 'in', ids)
        .execute()
    : [];
  return new Map(
    payments.map(({ id, requestId, ...terms }) => {
      const request = terms.isProrated ? undefined : rows.find((row) => row.id === requestId);
      return [id, { ...terms, credit: request ? readCredit(request) : null }];
    }),
  );
}

/** What verifying each of some payments does at `now`, by their ids; `zones` are the time zones of their payers. */
export async function previewPayments(
  db: Db,
  payments: Stored[],
  zones: Map<string, string>,
  now: Date,
): Promise<Map<string, PaymentPreview>> {
  const terms = await termsOf(db, payments);
  const pieces = await listPieces(
    db,
    payments.flatMap(({ userId }) => userId ?? []),
  );
  return new Map(
    payments.flatMap(({ id, userId }) => {
      const zone = userId && zones.get(userId);
      if (!zone) return [];
      const own = pieces.filter((piece) => piece.userId === userId);
      return [[id, previewPayment(terms.get(id)!, own, zone, now)]];
    }),
  );
}
