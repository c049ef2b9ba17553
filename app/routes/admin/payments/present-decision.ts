import type { findDecision } from '#app/domain/payments/review/list-pending.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatMinute } from '#app/domain/platform/dates.ts';
import { ledgerOf } from '#app/routes/admin/tabs.tsx';
import { capitalised } from '#app/ui/text.ts';

type Decision = NonNullable<Awaited<ReturnType<typeof findDecision>>>;

export function presentDecision(decision: Decision, admin: Actor) {
  const { reference, verifiedAt, rejectedAt, rejectReason, by, payerName, userId } = decision;
  const at = verifiedAt ?? rejectedAt;
  const outcome = verifiedAt ? 'verified' : 'rejected';
  const payment = `payment ${reference} of ${payerName || 'a deleted account'}`;
  const when = at ? ` on ${formatMinute(at, admin.timeZone)}` : '';
  return {
    title: `This payment was ${outcome} already`,
    text: `${by ? `${by} ${outcome} ${payment}` : `${capitalised(payment)} was ${outcome}`}${when}. Nothing was changed now.`,
    reason: rejectReason,
    ledger: userId && ledgerOf(userId),
  };
}

export type PresentedDecision = ReturnType<typeof presentDecision>;
