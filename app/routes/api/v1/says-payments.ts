import { z } from 'zod';
import { planType } from '#app/domain/payments/plan-words.ts';
import {
  count,
  currencyCode,
  currencySymbol,
  email,
  id,
  instant,
  money,
  name,
  pageOf,
  type Says,
  text,
} from '#app/http/api-says.ts';

const day = instant.nullable();
const period = { postsPerDay: count, startDate: day, endDate: day };
const Move = z.object(period);
const upgradeType = z.enum(['immediate', 'next_billing']).nullable();
const status = z.string().meta({ example: 'active' });

const Subscription = z
  .object({
    status,
    ...period,
    currencyCode,
    currencySymbol,
    amount: money,
  })
  .meta({ id: 'Subscription' });

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
    reference: z.string().meta({ description: 'Belongs into the note of the payment', example: 'TP-4F7K2M' }),
    upgradeType,
    startImmediately: z.boolean().nullable(),
    validUntil: day,
    startDate: day,
    goesOnAfter: z.array(Move),
    newPlan: z.object({ postsPerDay: count, fullPrice: money }),
    currentPlan: z
      .object({ postsPerDay: count, daysRemaining: z.number(), remainingCredit: money })
      .nullable(),
    promotion: z.object({ percent: z.number(), fullPrice: money }).nullable(),
  })
  .meta({ id: 'PaymentInfo' });

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
    startDate: day,
    endDate: day,
    paymentVerifiedAt: day,
    rejectReason: z.string().nullable(),
  })
  .meta({ id: 'Payment' });

const AdminPayment = Payment.extend({
  transactionScreenshot: z.string().nullable(),
  userId: z.object({ name: name.nullable(), email: email.nullable() }),
}).meta({ id: 'AdminPayment' });

const PendingPayment = AdminPayment.extend({
  isLate: z.boolean(),
  hasScreenshot: z.boolean(),
  needsTwoAdmins: z.boolean(),
  firstVerifiedAt: day,
  sameScreenshotAs: z
    .string()
    .nullable()
    .meta({ description: 'The reference of another payment that came with the same screenshot' }),
  verification: z
    .object({ startDate: day, endDate: day, moves: z.array(Move), says: z.array(z.string()) })
    .meta({ description: 'What verifying it now would do' }),
}).meta({ id: 'PendingPayment' });

const info = z.object({ paymentInfo: PaymentInfo });
const subscription = z.object({ subscription: Subscription.nullable() });
const payment = z.object({ payment: AdminPayment });
const PLAN = { postsPerDay: 2, currencyCode: 'USD' };

export const SAYS = {
  currencies: {
    does: 'Lists the currencies that can be paid',
    answers: z.object({
      currencies: z.array(z.object({ code: currencyCode, symbol: currencySymbol, name: text('US dollar') })),
    }),
  },
  pricing: {
    does: 'Lists what a month costs in a currency, for each number of posts a day',
    answers: z.object({ pricing: z.array(z.object({ postsPerDay: count, price: money })) }),
  },
  subscription: { does: 'Reads the plan of the account', answers: subscription },
  history: { does: 'Lists the payments, newest first', answers: pageOf('payments', Payment) },
  create: { does: 'Says how to pay for a plan', answers: info, status: 201, sends: PLAN },
  upgrade: {
    does: 'Says how to pay for another plan than the one that runs',
    answers: info,
    status: 201,
    sends: { newPostsPerDay: 3, currencyCode: 'USD', startImmediately: true },
  },
  proof: {
    does: 'Sends the ID of a transaction, which an admin then verifies',
    answers: z.object({ payment: Payment }),
    status: 201,
    sends: { ...PLAN, transactionId: '412345678901', amount: 29 },
  },
  cancel: { does: 'Cancels the plan, which runs to its end', answers: subscription },
  pending: {
    does: 'Lists the payments that wait to be verified, oldest first',
    answers: pageOf('payments', PendingPayment),
  },
  verify: { does: 'Verifies a payment', answers: payment },
  reject: {
    does: 'Rejects a payment with a reason',
    answers: payment,
    sends: { reason: 'No payment with this ID has arrived.' },
  },
  screenshot: {
    does: 'Gives the picture that came with a payment',
    answers: z.string(),
    media: 'image/*',
  },
  subscriptions: {
    does: 'Lists everybody’s plans, newest first',
    answers: pageOf('subscriptions', AdminPayment),
  },
} satisfies Record<string, Says>;
