import type { findDecision } from '#app/domain/payments/review/list-pending.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute } from '#app/domain/platform/dates.ts';
import { ledgerOf } from '#app/routes/admin/tabs.tsx';

type Found = NonNullable<Awaited<ReturnType<typeof findDecision>>>;

/** Who decided about a payment and when, in the admin's time zone. */
export function presentDecided(found: Found, admin: Actor) {
  const { reference, verifiedAt, rejectedAt, rejectReason, by, payerName, userId } = found;
  const at = verifiedAt ?? rejectedAt;
  const act = verifiedAt ? 'verified' : 'rejected';
  const what = `payment ${reference} of ${payerName || 'a deleted account'}`;
  const when = at ? ` on ${formatMinute(at, admin.timeZone)}` : '';
  return {
    title: `This payment was ${act} already`,
    text: `${by ? `${by} ${act} ${what}` : `${what[0]!.toUpperCase()}${what.slice(1)} was ${act}`}${when}. Nothing was changed now.`,
    reason: rejectReason,
    ledger: userId && ledgerOf(userId),
  };
}

export type Decided = ReturnType<typeof presentDecided>;
