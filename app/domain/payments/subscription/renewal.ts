import type { Db } from '#app/db/client.ts';
import { RENEW_BEFORE_DAYS } from '#app/domain/payments/limits.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import { type ActivePlan, findActivePlan } from './subscription.ts';

type Plan = Pick<ActivePlan, 'postsPerDay' | 'currencyCode'>;

export const renewalPath = ({ postsPerDay, currencyCode }: Plan) =>
  `/app/dashboard?dialog=subscribe&step=2&posts=${postsPerDay}&currency=${currencyCode}&start=next`;

const isInRenewalWindow = (endsAt: Date, now: Date) =>
  endsAt > now && endsAt.getTime() - now.getTime() <= RENEW_BEFORE_DAYS * 86_400_000;

/** The plan to renew: it ends within days, was not cancelled, has no successor, and no payment is pending. */
export async function findRenewal(db: Db, actor: Actor, now = new Date()) {
  const plan = await findActivePlan(db, actor.userId, now);
  if (!plan || plan.cancelledAt || !isInRenewalWindow(plan.endsAt, now)) return null;
  const other = await db
    .selectFrom('payments')
    .select('id')
    .where('userId', '=', actor.userId)
    .where((eb) =>
      eb.or([
        eb('status', '=', 'pending'),
        eb.and([eb('status', '=', 'active'), eb('endsAt', '>', plan.endsAt)]),
      ]),
    )
    .executeTakeFirst();
  if (other) return null;
  const { postsPerDay, currencyCode, endsAt } = plan;
  return { postsPerDay, currencyCode, endsAt, to: renewalPath(plan) };
}

/** The banner with the offer, or null. `paidUntil` is the end of the paid time. */
export async function offerRenewal(db: Db, actor: Actor, paidUntil: Date | null, now: Date) {
  if (!paidUntil || !isInRenewalWindow(paidUntil, now)) return null;
  const renewal = await findRenewal(db, actor, now);
  if (!renewal) return null;
  const title = `Your plan ends on ${formatDate(renewal.endsAt, actor.timeZone)}`;
  const text = 'Renew it, and the new month begins when this one ends, without a gap.';
  return { tone: 'accent' as const, title, text, to: renewal.to, label: 'Renew' };
}
