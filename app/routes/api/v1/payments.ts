import { z } from 'zod';
import { paymentShape } from '#app/domain/payments/api-shape.ts';
import {
  type PaymentInfo as PaymentInfoRow,
  preparePayment,
  prepareUpgrade,
} from '#app/domain/payments/checkout/payment-info.ts';
import { getScreenshot, screenshotUrl } from '#app/domain/payments/checkout/screenshots.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { listPayments } from '#app/domain/payments/history.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import type { Payment as PaymentRow } from '#app/domain/payments/payment.ts';
import { planType } from '#app/domain/payments/plan-labels.ts';
import { listCurrencies, listPrices } from '#app/domain/payments/prices.ts';
import {
  listPendingPayments,
  listSubscriptions,
  SubscriptionsQuery,
} from '#app/domain/payments/review/list-pending.ts';
import { presentPreview } from '#app/domain/payments/review/preview-text.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { PlanChoice, ProofInput, RejectInput, UpgradeChoice } from '#app/domain/payments/schema.ts';
import { cancelPlan } from '#app/domain/payments/subscription/cancel.ts';
import {
  findSubscription,
  type Subscription as SubscriptionRow,
} from '#app/domain/payments/subscription/subscription.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { count, email, id, instant, iso, money, name, pageOf, text } from '#app/http/api/schemas.ts';
import { sendImage } from '#app/http/send-image.ts';

const currencyCode = text('USD');
const currencySymbol = text('$');
const status = z.string().meta({ example: 'active' });
const upgradeType = z.enum(['immediate', 'next_billing']).nullable();
const planPeriod = { postsPerDay: count, startDate: instant.nullable(), endDate: instant.nullable() };

const Currency = z.object({ code: currencyCode, symbol: currencySymbol, name: text('US dollar') });

const Price = z.object({ postsPerDay: count, price: money });

const Subscription = z
  .object({
    status,
    ...planPeriod,
    currencyCode,
    currencySymbol,
    amount: money,
  })
  .meta({ id: 'Subscription' });
type Subscription = z.infer<typeof Subscription>;

/** When a plan that was paid for earlier runs after the new one is verified. */
const Move = z.object(planPeriod);
type Move = z.infer<typeof Move>;

const PaymentInfo = z
  .object({
    method: z.enum(['upi', 'paypal']),
    amount: money,
    currencyCode,
    currencySymbol,
    postsPerDay: count,
    upiUrl: z.string().nullable(),
    upiId: z.string().nullable(),
    paypalEmail: z.string().nullable(),
    note: z.string(),
    reference: z
      .string()
      .meta({ description: 'To be written into the note of the payment', example: 'TP-4F7K2M' }),
    upgradeType,
    startImmediately: z.boolean().nullable(),
    validUntil: instant.nullable(),
    startDate: instant.nullable(),
    goesOnAfter: z.array(Move),
    newPlan: z.object({ postsPerDay: count, fullPrice: money }),
    currentPlan: z
      .object({ postsPerDay: count, daysRemaining: z.number(), remainingCredit: money })
      .nullable(),
    promotion: z.object({ percent: z.number(), fullPrice: money }).nullable(),
  })
  .meta({ id: 'PaymentInfo' });
type PaymentInfo = z.infer<typeof PaymentInfo>;

/** Webhooks send it too, so its mapper is in the domain. */
export const Payment = z
  .object({
    _id: id,
    planType: text(planType(2)),
    status,
    postsPerDay: count,
    currencySymbol,
    currencyCode,
    amount: money,
    paymentMethod: z.string(),
    transactionId: text('412345678901').nullable(),
    reference: text('TP-4F7K2M'),
    upgradeType,
    createdAt: instant,
    startDate: instant.nullable(),
    endDate: instant.nullable(),
    paymentVerifiedAt: instant.nullable(),
    rejectReason: z.string().nullable(),
  })
  .meta({ id: 'Payment' });

const AdminPayment = Payment.extend({
  transactionScreenshot: z.string().nullable(),
  userId: z.object({ name: name.nullable(), email: email.nullable() }),
}).meta({ id: 'AdminPayment' });
type AdminPayment = z.infer<typeof AdminPayment>;

const PendingPayment = AdminPayment.extend({
  isLate: z.boolean(),
  hasScreenshot: z.boolean(),
  needsTwoAdmins: z.boolean(),
  firstVerifiedAt: instant.nullable(),
  sameScreenshotAs: z
    .string()
    .nullable()
    .meta({ description: 'The reference of another payment that has the same screenshot' }),
  verification: z
    .object({
      startDate: instant.nullable(),
      endDate: instant.nullable(),
      moves: z.array(Move),
      says: z.array(z.string()),
    })
    .meta({ description: 'What verifying it now would do' }),
}).meta({ id: 'PendingPayment' });
type PendingPayment = z.infer<typeof PendingPayment>;

const OneSubscription = z.object({ subscription: Subscription.nullable() });
const OnePaymentInfo = z.object({ paymentInfo: PaymentInfo });
const OneAdminPayment = z.object({ payment: AdminPayment });

function subscriptionShape(subscription: SubscriptionRow | null): Subscription | null {
  if (!subscription) return null;
  return {
    status: subscription.status,
    postsPerDay: subscription.postsPerDay,
    currencyCode: subscription.currencyCode,
    currencySymbol: subscription.currencySymbol,
    amount: toMajor(subscription.amountMinor),
    startDate: iso(subscription.startsAt),
    endDate: iso(subscription.endsAt),
  };
}

const moveShape = ({ postsPerDay, startsAt, endsAt }: PaymentInfoRow['movedPlans'][number]): Move => ({
  postsPerDay,
  startDate: iso(startsAt),
  endDate: iso(endsAt),
});

export function paymentInfoShape(info: PaymentInfoRow): PaymentInfo {
  const { postsPerDay, upgradeType, current } = info;
  const fullPrice = toMajor(info.fullPriceMinor);
  return {
    method: info.method,
    amount: toMajor(info.amountMinor),
    currencyCode: info.currencyCode,
    currencySymbol: info.currencySymbol,
    postsPerDay,
    upiUrl: info.upi?.url ?? null,
    upiId: info.upi?.id ?? null,
    paypalEmail: info.paypalEmail,
    note: info.note,
    reference: info.reference,
    upgradeType,
    startImmediately: upgradeType === null ? null : upgradeType === 'immediate',
    validUntil: iso(info.expiresAt),
    startDate: iso(info.startsAt),
    goesOnAfter: info.movedPlans.map(moveShape),
    newPlan: { postsPerDay, fullPrice },
    currentPlan: current && {
      postsPerDay: current.postsPerDay,
      daysRemaining: current.daysRemaining,
      remainingCredit: toMajor(current.creditMinor),
    },
    promotion: info.promoPercent > 0 ? { percent: info.promoPercent, fullPrice } : null,
  };
}

/** A payment as admins see it, with the user who paid. */
const adminPaymentShape = (payment: PaymentRow): AdminPayment => ({
  ...paymentShape(payment),
  transactionScreenshot: screenshotUrl(payment),
  userId: { name: payment.payerName, email: payment.payerEmail },
});

type PendingRow = Awaited<ReturnType<typeof listPendingPayments>>['rows'][number];

/** A pending payment. `verification` says what verifying it would do. */
function pendingPaymentShape(payment: PendingRow): PendingPayment {
  const { preview } = payment;
  return {
    ...adminPaymentShape(payment),
    isLate: payment.isLate,
    hasScreenshot: payment.hasScreenshot,
    needsTwoAdmins: payment.needsTwoAdmins,
    firstVerifiedAt: iso(payment.firstVerifiedAt),
    sameScreenshotAs: payment.sameScreenshot?.reference ?? null,
    verification: {
      startDate: iso(preview.startsAt),
      endDate: iso(preview.endsAt),
      moves: preview.moved.map(moveShape),
      says: presentPreview(preview, payment.payerZone),
    },
  };
}

const EXAMPLE_PLAN = { postsPerDay: 2, currencyCode: 'USD' };

export const paymentCalls: Calls = {
  '/payment/currencies': {
    GET: endpoint({
      summary: 'Lists the currencies a plan can be paid in',
      access: 'user',
      response: z.object({ currencies: z.array(Currency) }),
      handle: async ({ db }) => ({ currencies: await listCurrencies(db) }),
    }),
  },
  '/payment/pricing/:currency': {
    GET: endpoint({
      summary: 'Lists the monthly prices in a currency, by posts a day',
      access: 'user',
      response: z.object({ pricing: z.array(Price) }),
      handle: async ({ db, params }) => {
        const prices = await listPrices(db, params.currency!);
        return {
          pricing: prices.map(({ postsPerDay, amountMinor }) => ({
            postsPerDay,
            price: toMajor(amountMinor),
          })),
        };
      },
    }),
  },
  '/payment/subscription': {
    GET: endpoint({
      summary: 'Returns the plan of the account',
      access: 'user',
      response: OneSubscription,
      handle: async ({ db, actor }) => ({
        subscription: subscriptionShape(await findSubscription(db, actor)),
      }),
    }),
  },
  '/payment/history': {
    GET: endpoint({
      summary: 'Lists the payments, newest first',
      access: 'user',
      input: PageQuery,
      response: pageOf('payments', Payment),
      handle: async ({ db, actor, input }) => {
        const { rows, nextCursor } = await listPayments(db, actor, input);
        return { payments: rows.map(paymentShape), nextCursor };
      },
    }),
  },
  '/payment/create': {
    POST: endpoint({
      summary: 'Returns how to pay for a plan',
      access: 'user',
      input: PlanChoice,
      example: EXAMPLE_PLAN,
      isIdempotent: true,
      status: 201,
      response: OnePaymentInfo,
      handle: async ({ db, actor, input }) => ({
        paymentInfo: paymentInfoShape(await preparePayment(db, actor, input)),
      }),
    }),
  },
  '/payment/upgrade-plan': {
    POST: endpoint({
      summary: 'Returns how to pay for a plan other than the current one',
      access: 'user',
      input: UpgradeChoice,
      example: { newPostsPerDay: 3, currencyCode: 'USD', startImmediately: true },
      isIdempotent: true,
      status: 201,
      response: OnePaymentInfo,
      handle: async ({ db, actor, input }) => ({
        paymentInfo: paymentInfoShape(await prepareUpgrade(db, actor, input)),
      }),
    }),
  },
  '/payment/submit-proof': {
    POST: endpoint({
      summary: 'Submits the ID of a transaction, which an admin then verifies',
      access: 'user',
      input: ProofInput,
      example: { ...EXAMPLE_PLAN, transactionId: '412345678901', amount: 29 },
      isIdempotent: true,
      status: 201,
      response: z.object({ payment: Payment }),
      handle: async ({ db, actor, input }) => ({
        payment: paymentShape(await submitProof(db, actor, input)),
      }),
    }),
  },
  '/payment/cancel': {
    POST: endpoint({
      summary: 'Cancels the plan, which runs to its end date',
      access: 'user',
      response: OneSubscription,
      handle: async ({ db, actor }) => ({ subscription: subscriptionShape(await cancelPlan(db, actor)) }),
    }),
  },
  '/admin/pending-payments': {
    GET: endpoint({
      summary: 'Lists the payments to be verified, oldest first',
      access: 'admin',
      input: PageQuery,
      response: pageOf('payments', PendingPayment),
      handle: async ({ db, input }) => {
        const { rows, nextCursor } = await listPendingPayments(db, input);
        return { payments: rows.map(pendingPaymentShape), nextCursor };
      },
    }),
  },
  '/admin/verify-payment/:id': {
    POST: endpoint({
      summary: 'Verifies a payment',
      access: 'admin',
      requiresRecentAuth: true,
      response: OneAdminPayment,
      handle: async ({ db, actor, params }) => ({
        payment: adminPaymentShape(await verifyPayment(db, actor, params.id!)),
      }),
    }),
  },
  '/admin/reject-payment/:id': {
    POST: endpoint({
      summary: 'Rejects a payment with a reason',
      access: 'admin',
      input: RejectInput,
      example: { reason: 'No payment with this ID has arrived.' },
      requiresRecentAuth: true,
      response: OneAdminPayment,
      handle: async ({ db, actor, params, input }) => ({
        payment: adminPaymentShape(await rejectPayment(db, actor, { ...input, paymentId: params.id! })),
      }),
    }),
  },
  '/admin/payment-screenshot/:id': {
    GET: endpoint({
      summary: 'Returns the screenshot of a payment',
      access: 'admin',
      response: z.string(),
      mediaType: 'image/*',
      handle: async ({ db, params }) => {
        const { bytes, contentType, reference } = await getScreenshot(db, params.id!);
        return sendImage({ bytes, contentType, name: reference });
      },
    }),
  },
  '/admin/subscriptions': {
    GET: endpoint({
      summary: 'Lists the plans of all users, newest first',
      access: 'admin',
      input: SubscriptionsQuery,
      response: pageOf('subscriptions', AdminPayment),
      handle: async ({ db, input }) => {
        const { rows, nextCursor } = await listSubscriptions(db, input);
        return { subscriptions: rows.map(adminPaymentShape), nextCursor };
      },
    }),
  },
};
