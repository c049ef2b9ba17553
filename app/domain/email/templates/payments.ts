import { type MailText, TO_ADMINS } from '#app/domain/email/content.ts';
import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';

export type PaymentMails = {
  proofReceived: { name: string; plan: string; amount: string; transactionId: string; reference: string };
  paymentToVerify: { payer: string; amount: string; transactionId: string; reference: string; url: string };
  paymentVerified: {
    name: string;
    plan: string;
    until: string;
    isFree: boolean;
    also: string[];
    url: string;
  };
  paymentRejected: {
    name: string;
    plan: string;
    reason: string;
    reference: string;
    /** For payments that can't be submitted again. */
    writeTo?: string | null;
    url: string;
  };
  planExtended: {
    name: string;
    plan: string;
    days: number;
    reason: string;
    from: string;
    to: string;
    isFollowed: boolean;
    url: string;
  };
  /** `isChecking`: a payment is pending, so the mail must not ask for another one. */
  planEnding: { name: string; plan: string; day: string; isChecking: boolean; url: string };
  planEnded: { name: string; plan: string; isChecking: boolean; url: string };
};

const CHECKING = 'Your payment is being checked, and you get a mail. Until then there is nothing to pay.';
const VIEW_STATUS = 'View Payment Status';

export const paymentTemplates: { [K in keyof PaymentMails]: (data: PaymentMails[K]) => MailText } = {
  proofReceived: ({ name, plan, amount, transactionId, reference }) => ({
    subject: 'We have your payment details',
    lines: [
      `Hello ${name},`,
      'Thank you. We received the details of your payment:',
      {
        facts: Object.entries({
          Plan: plan,
          Amount: amount,
          'Transaction ID': transactionId,
          Reference: reference,
        }),
      },
      `A person checks it within ${VERIFIED_WITHIN_HOURS} hours. You will get a mail as soon as your plan is active.`,
    ],
  }),
  paymentToVerify: ({ payer, amount, transactionId, reference, url }) => ({
    subject: `Payment to verify: ${amount} (${reference})`,
    why: TO_ADMINS,
    lines: [
      `${payer} submitted a payment of ${amount}.`,
      { facts: Object.entries({ 'Transaction ID': transactionId, Reference: reference }) },
      `Please verify or reject it within ${VERIFIED_WITHIN_HOURS} hours.`,
    ],
    button: { label: 'Open the payments', url },
  }),
  paymentVerified: ({ name, plan, until, isFree, also, url }) => ({
    subject: 'Your plan is active',
    lines: [
      `Hello ${name},`,
      `${isFree ? 'There was nothing to pay' : 'Your payment is verified'}. ${plan} is active until ${until}.`,
      ...also,
      'Your posts are written and published at the times you chose.',
    ],
    button: { label: 'Open the dashboard', url },
  }),
  paymentRejected: ({ name, plan, reason, reference, writeTo, url }) => ({
    subject: 'We could not verify your payment',
    lines: [
      `Hello ${name},`,
      `We could not verify your payment for ${plan}.`,
      {
        facts: [
          ['Reason', reason],
          ['Reference', reference],
        ],
      },
      writeTo
        ? `Nothing was charged by us. If you have paid it, write to ${writeTo} and name the reference.`
        : 'Nothing was charged by us. You can submit the transaction again: the amount and the reference stay as they are.',
    ],
    button: { label: writeTo ? 'Open your payments' : 'Submit again', url },
  }),
  planExtended: ({ name, plan, days, reason, from, to, isFollowed, url }) => ({
    subject: `Your plan runs ${days === 1 ? 'a day' : `${days} days`} longer`,
    lines: [
      `Hello ${name},`,
      `We have extended your plan by ${days === 1 ? 'a day' : `${days} days`}, which cost you nothing.`,
      { facts: Object.entries({ Plan: plan, 'Was to end on': from, 'Ends on': to, Reason: reason }) },
      ...(isFollowed
        ? ['What you have paid for after it begins when it ends, and is as long as it was.']
        : []),
    ],
    button: { label: 'Open your payments', url },
  }),
  planEnding: ({ name, plan, day, isChecking, url }) => ({
    subject: `Your plan ends on ${day}`,
    lines: [
      `Hello ${name},`,
      `Your plan of ${plan} ends on ${day}. After that nothing is written or published, and posts already written keep their places.`,
      isChecking ? CHECKING : 'Renew it, and the new month begins when this one ends, without a gap.',
    ],
    button: { label: isChecking ? VIEW_STATUS : 'Renew the plan', url },
  }),
  planEnded: ({ name, plan, isChecking, url }) => ({
    subject: 'Your plan has ended',
    lines: [
      `Hello ${name},`,
      `Your plan of ${plan} has ended, so nothing is written or published now. Posts already written are held and keep their places.`,
      isChecking ? `${CHECKING} Then they go on.` : 'Choose a plan and they go on.',
    ],
    button: { label: isChecking ? VIEW_STATUS : 'Choose a plan', url },
  }),
};
