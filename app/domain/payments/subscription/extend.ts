import { type Db, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { lockUserIfExists, mailUser } from '#app/domain/accounts/users.ts';
import { enqueueReschedule } from '#app/domain/payments/payment.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import type { ExtendInput } from '#app/domain/payments/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { addMonth } from './periods.ts';
import { listPlanSpans, movePlanSpans, msOf, type PlanSpan, type Span } from './spans.ts';

const DAY_MS = 86_400_000;
/** `from` is the old end, `to` the new one. */
type PlanExtension = { paymentId: string; postsPerDay: number; from: Date; to: Date; isFollowed: boolean };

const noActivePlan = () =>
  new Refusal(409, 'no_active_subscription', 'No plan runs now that could be extended');

const endChanged = (endsAt: Date, timeZone: string) => {
  const message = `This plan ends on ${formatMinute(endsAt, timeZone)} by now: it was extended or changed meanwhile. Nothing was changed now`;
  return new Refusal(409, 'plan_changed', message);
};

/** The current plan ends later, and following ones are moved if necessary; a month that has not begun stays a whole one. */
function extendSpans(spans: PlanSpan[], days: number, timeZone: string, now: Date) {
  const current = spans.find(({ startsAt, endsAt }) => startsAt <= now && endsAt > now);
  if (!current) throw noActivePlan();
  const keepsItsLength = ({ paymentId, keepsLength }: PlanSpan) =>
    keepsLength || spans.some((span) => span.paymentId === paymentId && span.startsAt <= now);
  const plan = {
    paymentId: current.paymentId,
    postsPerDay: current.postsPerDay,
    from: current.endsAt,
    isFollowed: spans.some(({ startsAt }) => startsAt >= current.endsAt),
    to: new Date(current.endsAt.getTime() + days * DAY_MS),
  };
  let end = plan.to;
  const after = spans
    .filter(({ startsAt }) => startsAt >= current.endsAt)
    .map((span): PlanSpan => {
      const startsAt = span.startsAt < end ? end : span.startsAt;
      end = keepsItsLength(span) ? new Date(startsAt.getTime() + msOf(span)) : addMonth(startsAt, timeZone);
      return { ...span, startsAt, endsAt: end };
    });
  const before = spans.filter(({ endsAt }) => endsAt <= now);
  const all = [...before, { ...current, endsAt: plan.to }, ...after];
  const changed = new Set([current, ...after].map(({ paymentId }) => paymentId));
  const spansOf = (id: string): Span[] => all.filter(({ paymentId }) => paymentId === id);
  const keepLength = [plan, ...after.filter(keepsItsLength)].map(({ paymentId }) => paymentId);
  return { plan, keepLength, spans: new Map([...changed].map((id) => [id, spansOf(id)])) };
}

/** Extends the current plan for free; paid time after it begins later. `endsAt` is the plan's end as the admin saw it. */
export async function extendPlan(
  db: Db,
  admin: Actor,
  { userId, endsAt, days, reason }: ExtendInput & { userId: string },
  now = new Date(),
): Promise<PlanExtension> {
  if (!isId(userId)) throw notFound('This account');
  return transact(db, async (trx) => {
    // A missing account also means that there is no plan.
    const payer = await lockUserIfExists(trx, userId);
    if (!payer) throw noActivePlan();
    const { timeZone } = payer;
    const { plan, keepLength, spans } = extendSpans(await listPlanSpans(trx, [userId]), days, timeZone, now);
    if (plan.from.getTime() !== endsAt.getTime()) throw endChanged(plan.from, admin.timeZone);
    await movePlanSpans(trx, spans, keepLength, now);
    await enqueueReschedule(trx, userId);
    const detail = { days, reason, endsAt: plan.to };
    const entry = {
      action: 'plan.extended',
      subjectId: plan.paymentId,
      detail,
      before: { endsAt: plan.from },
    };
    await recordAdminAction(trx, admin, entry, now);
    await mailUser(trx, userId, 'planExtended', {
      plan: postsADay(plan.postsPerDay),
      days,
      reason,
      isFollowed: plan.isFollowed,
      from: formatDate(plan.from, timeZone),
      to: formatDate(plan.to, timeZone),
      url: new URL('/app/payments', env().APP_URL).href,
    });
    return plan;
  });
}
