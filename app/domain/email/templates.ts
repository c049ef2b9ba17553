import { VERIFIED_WITHIN_HOURS } from '#app/domain/payments/limits.ts';
import { CHOOSE_WITHIN_DAYS } from '#app/domain/queue/limits.ts';
import { type AccountMails, accountTemplates } from './account-templates.ts';
import { type ApprovalMails, approvalTemplates } from './approval-templates.ts';
import type { MailText } from './mail-text.ts';
import { type TopicMails, topicTemplates } from './topic-templates.ts';

/** What each mail needs to know. A template gives lines; both parts, text and HTML, are made from them. */
export type Mails = AccountMails &
  ApprovalMails &
  TopicMails & {
    proofReceived: { name: string; plan: string; amount: string; transactionId: string };
    paymentToVerify: { payer: string; amount: string; transactionId: string; reference: string; url: string };
    paymentVerified: { name: string; plan: string; until: string; url: string };
    paymentRejected: { name: string; plan: string; reason: string; url: string };
    planEnding: { name: string; plan: string; day: string; url: string };
    planEnded: { name: string; plan: string; url: string };
    connectLinkedIn: { name: string; posts: number; url: string };
    linkedInExpired: { name: string; url: string };
    linkedInEnding: LinkedInEnding;
    postFailed: {
      name: string;
      opening: string;
      reason: string;
      isOnLinkedIn: string;
      button: string;
      url: string;
    };
    postUnconfirmed: { name: string; opening: string; profileUrl: string; url: string };
    postMoved: {
      name: string;
      opening: string;
      isOnLinkedIn: string;
      from: string;
      to: string;
      url: string;
    };
    workerStopped: { since: string; url: string };
    postsResumed: { name: string; posts: { opening: string; at: string }[]; url: string };
  };
type LinkedInEnding = {
  name: string;
  days: number;
  at: string;
  posts: { opening: string; at: string }[];
  url: string;
};
export type MailKind = keyof Mails;

type Templates = { [K in MailKind]: (data: Mails[K]) => MailText };

const MOST_LISTED = 25;

/** Each post with its time on a line of its own. */
function listed(posts: { opening: string; at: string }[]): string[] {
  const more = posts.length - MOST_LISTED;
  const lines = posts.slice(0, MOST_LISTED).map(({ opening, at }) => `${at}: "${opening}"`);
  return more > 0 ? [...lines, `and ${more} more.`] : lines;
}

const templates: Templates = {
  proofReceived: ({ name, plan, amount, transactionId }) => ({
    subject: 'We have your payment details',
    lines: [
      `Hello ${name},`,
      `thank you. We received the transaction ID ${transactionId} for ${plan} (${amount}).`,
      `A person checks it within ${VERIFIED_WITHIN_HOURS} hours. You will get a mail as soon as your plan is active.`,
    ],
  }),
  paymentToVerify: ({ payer, amount, transactionId, reference, url }) => ({
    subject: `Payment to verify: ${amount} (${reference})`,
    lines: [
      `${payer} submitted a payment of ${amount}.`,
      `Transaction ID: ${transactionId}. Reference: ${reference}.`,
      `Please verify or reject it within ${VERIFIED_WITHIN_HOURS} hours.`,
    ],
    button: { label: 'Open the payments', url },
  }),
  workerStopped: ({ since, url }) => ({
    subject: 'Nothing is published: the worker has stopped',
    lines: [
      `The worker was last heard of on ${since} (UTC). Until it runs again nothing is written or published.`,
      'Posts wait in their places. Those that are not too late by then go out, one after the other; the others take the next free times of their owners.',
      'Please start it and look at its log. "npm run doctor" says what is wrong.',
    ],
    button: { label: 'Open the admin page', url },
  }),
  paymentVerified: ({ name, plan, until, url }) => ({
    subject: 'Your plan is active',
    lines: [
      `Hello ${name},`,
      `your payment is verified. ${plan} is active until ${until}.`,
      'Your posts are written and published at the times you chose.',
    ],
    button: { label: 'Open the dashboard', url },
  }),
  paymentRejected: ({ name, plan, reason, url }) => ({
    subject: 'We could not verify your payment',
    lines: [
      `Hello ${name},`,
      `we could not verify your payment for ${plan}.`,
      `Reason: ${reason}`,
      'Nothing was charged by us. You can submit the transaction again.',
    ],
    button: { label: 'Submit again', url },
  }),
  planEnding: ({ name, plan, day, url }) => ({
    subject: `Your plan ends on ${day}`,
    lines: [
      `Hello ${name},`,
      `your plan of ${plan} ends on ${day}. After that nothing is written or published, and posts already written keep their places.`,
      'Choose a plan then to go on.',
    ],
    button: { label: 'Open the dashboard', url },
  }),
  planEnded: ({ name, plan, url }) => ({
    subject: 'Your plan has ended',
    lines: [
      `Hello ${name},`,
      `your plan of ${plan} has ended, so nothing is written or published now. Posts already written are held and keep their places.`,
      'Choose a plan and they go on.',
    ],
    button: { label: 'Choose a plan', url },
  }),
  connectLinkedIn: ({ name, posts, url }) => ({
    subject: 'Your posts are waiting for LinkedIn',
    lines: [
      `Hello ${name},`,
      `${posts === 1 ? 'a post is' : `${posts} posts are`} written and waiting, but LinkedIn is not connected, so nothing can go out.`,
      'Connect it with one click. The posts keep their places.',
    ],
    button: { label: 'Connect LinkedIn', url },
  }),
  linkedInExpired: ({ name, url }) => ({
    subject: 'LinkedIn needs to be connected again',
    lines: [
      `Hello ${name},`,
      'LinkedIn no longer accepts our permission to post for you. Nothing is lost: your posts are held and keep their places.',
      'Connect LinkedIn again. Posts whose time is still to come go on, and you choose what becomes of those that were missed.',
    ],
    button: { label: 'Connect LinkedIn again', url },
  }),
  linkedInEnding: ({ name, days, at, posts, url }) => ({
    subject: `LinkedIn ends our permission ${days === 1 ? 'within a day' : `in ${days} days`}`,
    lines: [
      `Hello ${name},`,
      `LinkedIn gives its permission to post for you for a while only. Yours ends at ${at}. Connect LinkedIn again before that, with one click, and no post misses its time.`,
      ...(posts.length > 0
        ? ['Otherwise these would miss their time, and be held:', ...listed(posts)]
        : ['No post that is written now is to go out after that. Later ones would be held.']),
    ],
    button: { label: 'Connect LinkedIn again', url },
  }),
  postFailed: ({ name, opening, reason, isOnLinkedIn, button, url }) => ({
    subject: 'A post was not published',
    lines: [`Hello ${name},`, `the post that begins "${opening}" was not published.`, reason, isOnLinkedIn],
    button: { label: button, url },
  }),
  postUnconfirmed: ({ name, opening, profileUrl, url }) => ({
    subject: 'LinkedIn did not confirm a post',
    lines: [
      `Hello ${name},`,
      `we sent the post that begins "${opening}", but LinkedIn did not confirm it. It may or may not be on your profile, and we do not send it again by ourselves.`,
      `Look at your profile (${profileUrl}), then tell us with one of two buttons: "It is there" or "Post it again".`,
    ],
    button: { label: 'Decide about the post', url },
  }),
  postMoved: ({ name, opening, isOnLinkedIn, from, to, url }) => ({
    subject: 'A post goes out later than planned',
    lines: [
      `Hello ${name},`,
      `the post that begins "${opening}" could not go out at ${from}. ${isOnLinkedIn}`,
      `It now goes out at ${to}.`,
    ],
    button: { label: 'See the schedule', url },
  }),
  postsResumed: ({ name, posts, url }) => ({
    subject: 'Missed posts took your next free times',
    lines: [
      `Hello ${name},`,
      `you connected LinkedIn again ${CHOOSE_WITHIN_DAYS} days ago and did not choose what becomes of the posts whose time had passed. So they took your next free times:`,
      ...listed(posts),
      'Change or delete them before they go out, if you like.',
    ],
    button: { label: 'See the schedule', url },
  }),
  ...accountTemplates,
  ...approvalTemplates,
  ...topicTemplates,
};

export function mailText<K extends MailKind>(kind: K, data: Mails[K]): MailText {
  return templates[kind](data);
}
