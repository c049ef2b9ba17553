import type { Trx } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import { formatMoney, toMinor } from '#app/domain/payments/money.ts';
import type { ReauthInput } from '#app/domain/payments/schema.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { isGood, listRequests, openRequest, type PaymentRequest } from './requests.ts';

const amountOf = ({ amountMinor, currencyCode: code }: PaymentRequest) => formatMoney(amountMinor, { code });

const mismatch = (request: PaymentRequest) =>
  new Refusal(409, 'amount_mismatch', `The amount to pay is ${amountOf(request)}`, { field: 'amount' });

/** The kinds of upgrade that a proof may mean; what it leaves open may be any. */
function kindsOf({ upgradeType, startImmediately }: ReauthInput): (UpgradeType | null)[] {
  if (upgradeType) return [upgradeType];
  if (startImmediately === null) return [null, 'immediate', 'next_billing'];
  return [null, startImmediately ? 'immediate' : 'next_billing'];
}

/** Of a proof for which nothing was asked before. Without a plan `startImmediately` alone says nothing. */
async function kindOf(trx: Trx, actor: Actor, { upgradeType, startImmediately }: ReauthInput, now: Date) {
  if (upgradeType || startImmediately === null) return upgradeType;
  if (!(await findActivePlan(trx, actor.userId, now))) return null;
  return startImmediately ? 'immediate' : 'next_billing';
}

/** Why what may have been paid is not taken, and what its payer can do. */
function refusalOf(lost: PaymentRequest, { timeZone }: Actor, request: PaymentRequest | null, now: Date) {
  const isOver = !isGood(lost, now);
  const due = request ? `. The amount to pay is ${amountOf(request)} now` : '';
  const code = isOver ? 'request_expired' : 'request_closed';
  if (lost.amountMinor === 0) {
    const less = `What was left of your plan pays for this one no longer${due}`;
    return new Refusal(409, code, less, { field: 'amount' });
  }
  const why = isOver
    ? `This payment request was good until ${formatInMail(lost.expiresAt, timeZone)}`
    : 'This payment request was closed when another payment of yours was verified';
  const byHand = `If you have paid it already, don’t pay again: write to ${env().SUPPORT_EMAIL} and name ${lost.reference}. We put it right by hand`;
  return new Refusal(409, code, `${why}${due}. ${byHand}`, { field: 'amount' });
}

/** Opens the request that takes the place of one that is lost, when what is to be paid is still the same. */
async function openInstead(trx: Trx, actor: Actor, lost: PaymentRequest, now: Date): Promise<PaymentRequest> {
  const { postsPerDay, currencyCode, upgradeType } = lost;
  const choice = { postsPerDay, currencyCode, upgradeType };
  const request = await openRequest(trx, actor, choice, now).catch((error: unknown) => {
    // Whatever can't be bought now, also as its price or currency was withdrawn, may have been paid.
    if (error instanceof Refusal) throw refusalOf(lost, actor, null, now);
    throw error;
  });
  // What was closed long ago is hardly what somebody means who names what it costs now.
  const isAnother =
    lost.status === 'closed' && !isGood(lost, now) && request.amountMinor === lost.amountMinor;
  if (request.reference !== lost.reference && !isAnother) throw refusalOf(lost, actor, request, now);
  return request;
}

/**
 * The open request that a proof names by plan, currency and amount. One that is over is taken as long as it would say the
 * same now; one that is lost is named in the refusal, since it may have been paid. Where nobody asked what to pay, the
 * request is made now.
 */
export async function requestOfProof(
  trx: Trx,
  actor: Actor,
  input: ReauthInput,
  now: Date,
): Promise<PaymentRequest> {
  const { postsPerDay, currencyCode } = input;
  const amountMinor = toMinor(input.amount);
  const kinds = kindsOf(input);
  const isMeant = (request: PaymentRequest) =>
    request.postsPerDay === postsPerDay &&
    request.currencyCode === currencyCode &&
    kinds.includes(request.upgradeType);
  const isNamed = (request: PaymentRequest) => request.amountMinor === amountMinor;
  const open = (await listRequests(trx, actor)).filter(isMeant);
  const good = open.filter((request) => isGood(request, now));
  const named = good.find(isNamed);
  if (named) return named;
  const closed = (await listRequests(trx, actor, 'closed')).filter(isMeant);
  const lost = open.find(isNamed) ?? closed.find(isNamed);
  if (lost) return openInstead(trx, actor, lost, now);
  if (good[0]) throw mismatch(good[0]);
  const upgradeType = await kindOf(trx, actor, input, now);
  const request = await openRequest(trx, actor, { postsPerDay, currencyCode, upgradeType }, now);
  if (isNamed(request)) return request;
  throw mismatch(request);
}
