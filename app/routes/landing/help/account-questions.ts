import { DELETION_DAYS } from '#app/domain/accounts/limits.ts';
import { POSTS_PER_DAY_MAX, REQUEST_GOOD_HOURS, VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import type { Answer } from './questions.ts';

export const MONEY: Answer[] = [
  {
    question: 'How do I pay?',
    answer:
      'Rupees by UPI, with a QR code or a link; every other currency by PayPal, to the address that is shown. Then submit the transaction ID from your payment app. Nothing is charged by itself, and no card is stored.',
    to: '/app/payments?dialog=subscribe',
    label: 'Choose a plan',
    also: 'buy subscribe price card upi paypal qr',
  },
  {
    question: 'How long does verification take?',
    answer: `A person checks each payment within ${VERIFIED_WITHIN_HOURS} hours, and you get a mail as soon as your plan is active. What a payment request says stays good for ${REQUEST_GOOD_HOURS} hours.`,
    to: '/app/payments',
    label: 'See where it stands',
    also: 'pending waiting verify payment status hours',
  },
  {
    question: 'My payment was rejected',
    answer:
      'The reason stands in your payment history and in the mail. Mostly the transaction ID had a slip: you can submit it again, and the amount and reference stay as they are.',
    to: '/app/payments',
    label: 'Open Payment History',
    also: 'declined refused wrong transaction id',
  },
  {
    question: 'Where do I find the transaction ID?',
    answer:
      'In the details of the payment in your app. UPI calls it UTR, mostly 12 digits; PayPal calls it transaction ID, mostly 17 letters and digits. Put our reference, which begins with TP-, into the note.',
    to: '/app/payments',
    label: 'Open Payment History',
    also: 'utr reference number note',
  },
  {
    question: 'Can I change or cancel my plan?',
    answer: `Yes. A plan has 1 to ${POSTS_PER_DAY_MAX} posts a day. More posts begin at once, less what is unused of your present plan, or with the next month. Fewer begin with the next month. A cancelled plan runs to its end.`,
    to: '/app/payments',
    label: 'Open Payment History',
    also: 'upgrade downgrade refund end subscription stop',
  },
  {
    question: 'Does my plan renew by itself?',
    answer:
      'No. We mail you before it ends. Without a new payment nothing is written or published afterwards, and posts that are written keep their places.',
    to: '/app/payments',
    label: 'Open Payment History',
    also: 'renewal automatic charge expire ended',
  },
];

export const ACCOUNT: Answer[] = [
  {
    question: 'I forgot my password',
    answer:
      'Ask for a code by mail and choose another password with it. That signs out everybody who is signed in.',
    to: '/forgot-password',
    label: 'Choose another password',
    also: 'reset login cannot sign in',
  },
  {
    question: 'How do I make my account safer?',
    answer:
      'Add a second step, an authenticator app or a passkey, on the security page. There you also see where you are signed in, and can sign out everywhere.',
    to: '/app/account/security',
    label: 'Open security',
    also: '2fa two factor passkey sessions hacked',
  },
  {
    question: 'How do I use the API?',
    answer:
      'Make a token on the page of your account. It is shown once, acts for you, and can be revoked at any time. A token that may only read changes nothing.',
    to: '/app/account/tokens',
    label: 'Open API tokens',
    also: 'token developer key integrate programming',
  },
  {
    question: 'Which mails do I get, and how do I stop them?',
    answer:
      'Those about your schedule, topics and reminders you can switch off, also by the link at their end. What keeps your account safe, is paid, or stops your posts is always mailed.',
    to: '/app/account/emails',
    label: 'Choose mails',
    also: 'unsubscribe notifications newsletter email',
  },
  {
    question: 'How do I take my data along, or delete my account?',
    answer: `Your data has a file of everything we keep of you, and the button that deletes the account. It is deleted after ${DELETION_DAYS} days, in which nothing is published and you can still keep it. Payments stay, without your name.`,
    to: '/app/account/data',
    label: 'Open Your data',
    also: 'export erase remove gdpr privacy close leave',
  },
];
