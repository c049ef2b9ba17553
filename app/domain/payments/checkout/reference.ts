import type { Trx } from '#app/db/client.ts';
import type { UpgradeType } from '#app/db/tables.ts';
import { formatMoney, toMinor } from '#app/domain/payments/money.ts';
import type { ProofInput } from '#app/domain/payments/schema.ts';
import { findActivePlan } from '#app/domain/payments/subscription/subscription.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { env } from '#app/env.ts';
import { isValid, listRequests, openRequest, type PaymentRequest } from './requests.ts';

const amountOf = ({ amountMinor, currencyCode: code }: PaymentRequest) => formatMoney(amountMinor, { code });

const mismatch = (request: PaymentRequest) =>
  new Refusal(409, 'amount_mismatch', `The amount to pay is ${amountOf(request)}`, { field: 'amount' });

function matchingUpgradeTypes({ upgradeType, startImmediately }: ProofInput): (UpgradeType | null)[] {
  if (upgradeType) return [upgradeType];
  if (startImmediately === null) return [null, 'immediate', 'next_billing'];
  return [null, startImmediately ? 'immediate' : 'next_billing'];
}

/** The upgrade type of a proof without a request. Without a plan `startImmediately` has no meaning. */
async function findUpgradeType(
  trx: Trx,
  actor: Actor,
  { upgradeType, startImmediately }: ProofInput,
  now: Date,
) {
  if (upgradeType || startImmediately === null) return upgradeType;
  if (!(await findActivePlan(trx, actor.userId, now))) return null;
  return startImmediately ? 'immediate' : 'next_billing';
}

/** Why an expired request is not accepted, and what its payer can do. */
function expiredRefusal(
  expired: PaymentRequest,
  { timeZone }: Actor,
  request: PaymentRequest | null,
  now: Date,
) {
  const isExpired = !isValid(expired, now);
  const due = request ? `. The amount to pay is ${amountOf(request)} now` : '';
  const code = isExpired ? 'request_expired' : 'request_closed';
  if (expired.amountMinor === 0) {
    const message = `What was left of your plan pays for this one no longer${due}`;
    return new Refusal(409, code, message, { field: 'amount' });
  }
  const reason = isExpired
    ? `This payment request was good until ${formatInMail(expired.expiresAt, timeZone)}`
    : 'This payment request was closed when another payment of yours was verified';
  const instructions = `If you have paid it already, don’t pay again: write to ${env().SUPPORT_EMAIL} and name ${expired.reference}. We put it right by hand`;
  return new Refusal(409, code, `${reason}${due}. ${instructions}`, { field: 'amount' });
}

/** Opens the request that replaces an expired one, if the amount is still the same. */
async function replaceExpired(
  trx: Trx,
  actor: Actor,
  expired: PaymentRequest,
  now: Date,
): Promise<PaymentRequest> {
  const { postsPerDay, currencyCode, upgradeType } = expired;
  const choice = { postsPerDay, currencyCode, upgradeType };
  const request = await openRequest(trx, actor, choice, now).catch((error: unknown) => {
    // What can't be bought any more may have been paid.
    if (error instanceof Refusal) throw expiredRefusal(expired, actor, null, now);
    throw error;
  });
  // A request closed long ago is hardly meant when another one has the same amount now.
  const isAnother =
    expired.status === 'closed' && !isValid(expired, now) && request.amountMinor === expired.amountMinor;
  if (request.reference !== expired.reference && !isAnother)
    throw expiredRefusal(expired, actor, request, now);
  return request;
}

/** An expired request is accepted with unchanged terms, and otherwise named in the Refusal: it may have been paid. */
export async function findRequestForProof(
  trx: Trx,
  actor: Actor,
  input: ProofInput,
  now: Date,
): Promise<PaymentRequest> {
  const { postsPerDay, currencyCode } = input;
  const amountMinor = toMinor(input.amount);
  const upgradeTypes = matchingUpgradeTypes(input);
  const matchesPlan = (request: PaymentRequest) =>
    request.postsPerDay === postsPerDay &&
    request.currencyCode === currencyCode &&
    upgradeTypes.includes(request.upgradeType);
  const matchesAmount = (request: PaymentRequest) => request.amountMinor === amountMinor;
  const open = (await listRequests(trx, actor)).filter(matchesPlan);
  const valid = open.filter((request) => isValid(request, now));
  const match = valid.find(matchesAmount);
  if (match) return match;
  const closed = (await listRequests(trx, actor, 'closed')).filter(matchesPlan);
  const expired = open.find(matchesAmount) ?? closed.find(matchesAmount);
  if (expired) return replaceExpired(trx, actor, expired, now);
  if (valid[0]) throw mismatch(valid[0]);
  const upgradeType = await findUpgradeType(trx, actor, input, now);
  const request = await openRequest(trx, actor, { postsPerDay, currencyCode, upgradeType }, now);
  if (matchesAmount(request)) return request;
  throw mismatch(request);
}
