import type { MailKind, Mails } from '#app/domain/email/templates/templates.ts';

const APP = 'https://app.tidepost.example';
const name = 'Ada Marlow';
const opening =
  'A plan that fits on a postcard is read. One that needs a binder is admired, and nobody looks into it.';
const text = `${opening}\n\nWe cut ours to six lines last spring. Two things changed:\n\n1. People quote it in meetings.\n2. We notice when it is wrong.\n\nWhat would be left of yours?`;
const at = 'Tue, Mar 3, 09:00 (Europe/Paris)';
const toApprove = {
  text,
  at,
  isLastTime: false,
  isAfterPlan: false,
  link: `${APP}/approval/0195f4e2-8f0c-7aaa-bbbb-0123456789ab?key=Zk3vQ0n1mB7xT5yLw9aHc2Rf8sGd4JpUe6iOqNzXbVt`,
};
const posts = [
  { opening, at },
  { opening: 'Three questions for a first meeting', at: 'Wed, Mar 4, 14:30 (Europe/Paris)' },
];
const page = (path: string) => APP + path;
const plan = '3 posts a day';
const ticket = {
  number: 1042,
  category: 'Technical',
  subject: 'Whose clock do publish times follow?',
  from: name,
};

/** Realistic data for every kind of mail, for `npm run mails` and for tests. */
export const MAIL_EXAMPLES: { [K in MailKind]: Mails[K] } = {
  verifyEmail: {
    code: '048213',
    url: page('/verify-email?token=Zk3vQ0n1mB7xT5yLw9aHc2Rf8sGd4JpUe6iOqNzXbVt'),
  },
  resetPassword: { name, code: '915370' },
  proveOwner: { name, code: '302846' },
  passwordChanged: {
    name,
    unlinked: [['LinkedIn', 'somebody@example.net']],
    publishes: { as: 'Ada Marlow', url: page('/app/linkedin') },
    others: {
      waysIn: [
        ['Google', 'ada@example.com'],
        ['Passkey', 'My laptop'],
      ],
      url: page('/app/account/security'),
    },
    url: page('/forgot-password'),
  },
  confirmNewEmail: { code: '571904' },
  emailChangeBegun: { name, newEmail: 'ada@example.net', url: page('/forgot-password') },
  emailChanged: { name, newEmail: 'ada@example.net', support: 'support@tidepost.example' },
  deletionBegun: { name, at, url: page('/keep-account?key=Zk3vQ0n1mB7xT5yLw9aHc2Rf8sGd4JpUe6iOqNzXbVt') },
  accountKept: { name, url: page('/app/dashboard') },
  accountDeleted: { name },
  newDevice: { name, device: 'Firefox on Windows', place: 'Germany', at, url: page('/forgot-password') },
  signInLinked: { name, provider: 'Google', as: 'ada@example.net', url: page('/app/account/security') },
  signInUnlinked: { name, provider: 'Google', url: page('/app/account/security') },
  accountDisabled: {
    name,
    reason: 'Posts were sent for somebody who had not agreed.',
    support: 'support@tidepost.example',
  },
  accountEnabled: { name, url: page('/login') },
  twoStepChanged: {
    name,
    change: 'A passkey named "My laptop" was added to your account.',
    url: page('/app/account/security'),
  },
  secondStepFailed: { name, url: page('/forgot-password') },
  recoveryCodeUsed: { name, left: 3, url: page('/app/account/security') },
  accountExists: { name, loginUrl: page('/login') },
  approvalAsked: {
    name,
    posts: [toApprove, { ...toApprove, isLastTime: true }],
    url: page('/app/scheduled'),
  },
  approvalMoved: { name, from: 'Mon, Mar 2, 09:00 (Europe/Paris)', post: toApprove },
  approvalMissed: { name, text, at, url: page('/app/posts') },
  topicPaused: {
    name,
    topic: 'Planning with little',
    failures: 3,
    hasOthers: true,
    failure: 'the writer declined to write about it',
    url: page('/app/topics?edit=1'),
  },
  proofReceived: {
    name,
    plan,
    amount: '$19.50',
    transactionId: '5O190127TN364715T',
    reference: 'TP-7KQ2MX',
  },
  paymentToVerify: {
    payer: name,
    amount: '$19.50',
    transactionId: '5O190127TN364715T',
    reference: 'TP-7KQ2MX',
    url: page('/app/admin?tab=payments'),
  },
  paymentVerified: {
    name,
    plan,
    until: 'April 3, 2026',
    isFree: false,
    url: page('/app/dashboard'),
    also: ['What is left of 1 post a day goes on from Apr 03, 2026 to Apr 21, 2026.'],
  },
  paymentRejected: {
    name,
    plan,
    reason: 'No payment with this ID has arrived.',
    url: page('/app/payments'),
    reference: 'TP-7KQ2MX',
  },
  supportAsked: { ...ticket, url: page('/app/admin/support-feedback') },
  supportWrittenAgain: { ...ticket, url: page('/app/admin/support-feedback') },
  supportFlood: { url: page('/app/admin/support-feedback') },
  supportAnswered: {
    name,
    number: 1042,
    subject: ticket.subject,
    url: page('/app/support/1'),
    answer: 'Yes: the times are those of your own time zone.\n\nYou can change it under Automation Settings.',
    until: null,
  },
  planExtended: {
    name,
    plan,
    days: 7,
    from: 'Apr 03, 2026',
    to: 'Apr 10, 2026',
    isFollowed: true,
    reason: 'LinkedIn took no posts for some days.',
    url: page('/app/payments'),
  },
  planEnding: { name, plan, day: 'April 3, 2026', isChecking: false, url: page('/app/dashboard') },
  planEnded: { name, plan, isChecking: false, url: page('/app/payments') },
  connectLinkedIn: { name, posts: 3, url: page('/app/linkedin') },
  webhookAdded: {
    name,
    address: 'https://hooks.example.com/tidepost',
    events: ['post.published', 'post.failed'],
    url: page('/api/docs/webhooks'),
  },
  webhookDisabled: {
    name,
    address: 'https://hooks.example.com/tidepost',
    days: 3,
    since: at,
    last: 'It answered with the status 500',
    url: page('/api/docs/webhooks'),
  },
  linkedInExpired: { name, url: page('/app/linkedin') },
  linkedInEnding: { name, days: 3, at, posts, url: page('/app/linkedin') },
  postFailed: {
    name,
    opening,
    reason: 'LinkedIn says that this post was published before.',
    isOnLinkedIn: 'It is not on LinkedIn.',
    button: 'Edit the post',
    url: page('/app/posts'),
  },
  postUnconfirmed: {
    name,
    opening,
    profileUrl: 'https://www.linkedin.com/in/me/recent-activity/all/',
    url: page('/app/posts'),
  },
  postMoved: {
    name,
    opening,
    isOnLinkedIn: 'It is not on LinkedIn.',
    from: at,
    to: 'Wed, Mar 4, 14:30 (Europe/Paris)',
    url: page('/app/scheduled'),
  },
  workerStopped: { since: '2026-03-03 09:12', url: page('/app/admin/publishing') },
  postsResumed: { name, posts, url: page('/app/scheduled') },
};
