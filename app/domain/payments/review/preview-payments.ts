import type { Db } from '#app/db/client.ts';
import { readCredit } from '#app/domain/payments/checkout/requests.ts';
import { listPlanSpans } from '#app/domain/payments/subscription/spans.ts';
import { type PaymentPreview, previewPayment, type Terms } from './preview.ts';

type StoredPayment = Omit<Terms, 'credit'> & { id: string; userId: string | null; requestId: string | null };

async function findTerms(db: Db, payments: StoredPayment[]): Promise<Map<string, Terms>> {
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

/** The effect of verifying each payment at `now`, by payment id. `zones` has the payers' time zones by user id. */
export async function previewPayments(
  db: Db,
  payments: StoredPayment[],
  zones: Map<string, string>,
  now: Date,
): Promise<Map<string, PaymentPreview>> {
  const terms = await findTerms(db, payments);
  const spans = await listPlanSpans(
    db,
    payments.flatMap(({ userId }) => userId ?? []),
  );
  return new Map(
    payments.flatMap(({ id, userId }) => {
      const zone = userId && zones.get(userId);
      if (!zone) return [];
      const userSpans = spans.filter((span) => span.userId === userId);
      return [[id, previewPayment(terms.get(id)!, userSpans, zone, now)]];
    }),
  );
}
