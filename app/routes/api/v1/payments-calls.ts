import { PageQuery } from '#app/domain/paging.ts';
import { cancelPlan } from '#app/domain/payments/cancel.ts';
import { listPendingPayments, listSubscriptions, SubscriptionsQuery } from '#app/domain/payments/desk.ts';
import { listPayments } from '#app/domain/payments/history.ts';
import { preparePayment, prepareUpgrade } from '#app/domain/payments/payment-info.ts';
import { paymentShape } from '#app/domain/payments/payment-shape.ts';
import { listCurrencies, listPrices } from '#app/domain/payments/prices.ts';
import { rejectPayment, verifyPayment } from '#app/domain/payments/review.ts';
import { PlanChoice, ProofInput, RejectInput, UpgradeChoice } from '#app/domain/payments/schema.ts';
import { getScreenshot } from '#app/domain/payments/screenshots.ts';
import { submitProof } from '#app/domain/payments/submit-proof.ts';
import { findSubscription } from '#app/domain/payments/subscription.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { sendPicture } from '#app/http/send-picture.ts';
import { SAYS } from './says-payments.ts';
import {
  adminPaymentShape,
  paymentInfoShape,
  pendingPaymentShape,
  priceShape,
  subscriptionShape,
} from './shapes-payments.ts';

const handler = apiRoutes({
  '/payment/currencies': {
    GET: endpoint('user', null, SAYS.currencies, async ({ db }) => ({
      currencies: await listCurrencies(db),
    })),
  },
  '/payment/pricing/:currency': {
    GET: endpoint('user', null, SAYS.pricing, async ({ db, params }) => ({
      pricing: (await listPrices(db, params.currency!)).map(priceShape),
    })),
  },
  '/payment/subscription': {
    GET: endpoint('user', null, SAYS.subscription, async ({ db, actor }) => ({
      subscription: subscriptionShape(await findSubscription(db, actor)),
    })),
  },
  '/payment/history': {
    GET: endpoint('user', PageQuery, SAYS.history, async ({ db, actor, input }) => {
      const { rows, nextCursor } = await listPayments(db, actor, input);
      return { payments: rows.map(paymentShape), nextCursor };
    }),
  },
  '/payment/create': {
    POST: endpoint(
      'user',
      PlanChoice,
      SAYS.create,
      async ({ db, actor, input }) => ({
        paymentInfo: paymentInfoShape(await preparePayment(db, actor, input)),
      }),
      { isOnce: true },
    ),
  },
  '/payment/upgrade-plan': {
    POST: endpoint(
      'user',
      UpgradeChoice,
      SAYS.upgrade,
      async ({ db, actor, input }) => ({
        paymentInfo: paymentInfoShape(await prepareUpgrade(db, actor, input)),
      }),
      { isOnce: true },
    ),
  },
  '/payment/submit-proof': {
    POST: endpoint(
      'user',
      ProofInput,
      SAYS.proof,
      async ({ db, actor, input }) => ({ payment: paymentShape(await submitProof(db, actor, input)) }),
      { isOnce: true },
    ),
  },
  '/payment/cancel': {
    POST: endpoint('user', null, SAYS.cancel, async ({ db, actor }) => ({
      subscription: subscriptionShape(await cancelPlan(db, actor)),
    })),
  },
  '/admin/pending-payments': {
    GET: endpoint('admin', PageQuery, SAYS.pending, async ({ db, input }) => {
      const { rows, nextCursor } = await listPendingPayments(db, input);
      return { payments: rows.map(pendingPaymentShape), nextCursor };
    }),
  },
  '/admin/verify-payment/:id': {
    POST: endpoint(
      'admin',
      null,
      SAYS.verify,
      async ({ db, actor, params }) => ({
        payment: adminPaymentShape(await verifyPayment(db, actor, params.id!)),
      }),
      { isConfirmed: true },
    ),
  },
  '/admin/reject-payment/:id': {
    POST: endpoint(
      'admin',
      RejectInput,
      SAYS.reject,
      async ({ db, actor, params, input }) => ({
        payment: adminPaymentShape(await rejectPayment(db, actor, { ...input, paymentId: params.id! })),
      }),
      { isConfirmed: true },
    ),
  },
  '/admin/payment-screenshot/:id': {
    GET: endpoint('admin', null, SAYS.screenshot, async ({ db, params }) => {
      const { bytes, contentType, reference } = await getScreenshot(db, params.id!);
      return sendPicture({ bytes, contentType, name: reference });
    }),
  },
  '/admin/subscriptions': {
    GET: endpoint('admin', SubscriptionsQuery, SAYS.subscriptions, async ({ db, input }) => {
      const { rows, nextCursor } = await listSubscriptions(db, input);
      return { subscriptions: rows.map(adminPaymentShape), nextCursor };
    }),
  },
});

export const loader = handler;
export const action = handler;
