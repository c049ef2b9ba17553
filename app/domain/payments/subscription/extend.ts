import { type Db, transact } from '#app/db/client.ts';
import { recordAdminAction } from '#app/domain/accounts/audit-log.ts';
import { lockUserIfExists, mailUser } from '#app/domain/accounts/users.ts';
import { planChanged } from '#app/domain/payments/payment.ts';
import { postsADay } from '#app/domain/payments/plan-labels.ts';
import type { ExtendInput } from '#app/domain/payments/schema.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate, formatMinute } from '#app/domain/platform/dates.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { addMonth } from './periods.ts';
import { listPieces, movePieces, msOf, type Piece, type Span } from './spans.ts';

const DAY_MS = 86_400_000;
/** Of the plan that runs, when it was to end, and when it does. */
type Extended = { paymentId: string; postsPerDay: number; from: Date; to: Date; isFollowed: boolean };

const nothingRuns = () =>
  new Refusal(409, 'no_active_subscription', 'No plan runs now that could be extended');

const endsElsewhere = (endsAt: Date, timeZone: string) => {
  const message = `This plan ends on ${formatMinute(endsAt, timeZone)} by now: it was extended or changed meanwhile. Nothing was changed now`;
  return new Refusal(409, 'plan_changed', message);
};

/** What runs at `now` ends later, and each that follows begins no sooner: a month that has not begun stays a whole one. */
function extended(pieces: Piece[], days: number, timeZone: string, now: Date) {
  const current = pieces.find(({ startsAt, endsAt }) => startsAt <= now && endsAt > now);
  if (!current) throw nothingRuns();
  const isRest = ({ paymentId, keepsLength }: Piece) =>
    keepsLength || pieces.some((piece) => piece.paymentId === paymentId && piece.startsAt <= now);
  const plan = {
    paymentId: current.paymentId,
    postsPerDay: current.postsPerDay,
    from: current.endsAt,
    isFollowed: pieces.some(({ startsAt }) => startsAt >= current.endsAt),
    to: new Date(current.endsAt.getTime() + days * DAY_MS),
  };
  let last = plan.to;
  const after = pieces
    .filter(({ startsAt }) => startsAt >= current.endsAt)
    .map((piece): Piece => {
      const startsAt = piece.startsAt < last ? last : piece.startsAt;
      last = isRest(piece) ? new Date(startsAt.getTime() + msOf(piece)) : addMonth(startsAt, timeZone);
      return { ...piece, startsAt, endsAt: last };
    });
  const before = pieces.filter(({ endsAt }) => endsAt <= now);
  const all = [...before, { ...current, endsAt: plan.to }, ...after];
  const changed = new Set([current, ...after].map(({ paymentId }) => paymentId));
  const of = (id: string): Span[] => all.filter(({ paymentId }) => paymentId === id);
  const keeping = [plan, ...after.filter(isRest)].map(({ paymentId }) => paymentId);
  return { plan, keeping, pieces: new Map([...changed].map((id) => [id, of(id)])) };
}

/**
 * Gives the plan that runs now, which ends at `endsAt` as the admin knows it, some days more. They cost nothing; what is paid
 * for after it begins later.
 */
export async function extendPlan(
  db: Db,
  admin: Actor,
  { userId, endsAt, days, reason }: ExtendInput & { userId: string },
  now = new Date(),
): Promise<Extended> {
  if (!isId(userId)) throw notFound('This account');
  return transact(db, async (trx) => {
    // Whoever has no plan may have no account either.
    const payer = await lockUserIfExists(trx, userId);
    if (!payer) throw nothingRuns();
    const { timeZone } = payer;
    const { plan, keeping, pieces } = extended(await listPieces(trx, [userId]), days, timeZone, now);
    if (plan.from.getTime() !== endsAt.getTime()) throw endsElsewhere(plan.from, admin.timeZone);
    await movePieces(trx, pieces, keeping, now);
    await planChanged(trx, userId);
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
