import { type MailLine, type MailText, TO_ADMINS } from '#app/domain/email/content.ts';
import { CHOOSE_WITHIN_DAYS } from '#app/domain/publishing/limits.ts';
import { type LeavingMails, leavingTemplates } from './account-deletion.ts';
import { type AccountMails, accountTemplates } from './accounts.ts';
import { type ApprovalMails, approvalTemplates } from './approval.ts';
import { type PaymentMails, paymentTemplates } from './payments.ts';
import { type SupportMails, supportTemplates } from './support.ts';
import { type TopicMails, topicTemplates } from './topics.ts';
import { type TwoStepMails, twoStepTemplates } from './two-step.ts';
import { type WebhookMails, webhookTemplates } from './webhooks.ts';

/** The variables of each mail. A template returns data, which render.ts turns into text and HTML. */
export type Mails = AccountMails &
  ApprovalMails &
  LeavingMails &
  PaymentMails &
  SupportMails &
  TopicMails &
  TwoStepMails &
  WebhookMails & {
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

const LISTED_MAX = 25;

function listPosts(posts: { opening: string; at: string }[]): MailLine[] {
  const more = posts.length - LISTED_MAX;
  const facts = posts.slice(0, LISTED_MAX).map(({ opening, at }): [string, string] => [at, `"${opening}"`]);
  return [{ facts }, ...(more > 0 ? [`And ${more} more.`] : [])];
}

const templates: Templates = {
  workerStopped: ({ since, url }) => ({
    subject: 'Nothing is published: the worker has stopped',
    why: TO_ADMINS,
    lines: [
      `The worker was last heard of on ${since} (UTC). Until it runs again nothing is written or published.`,
      'Posts wait in their places. Those that are not too late by then go out, one after the other; the others take the next free times of their owners.',
      'Please start it and look at its log. "npm run doctor" says what is wrong.',
    ],
    button: { label: 'Open the admin page', url },
  }),
  connectLinkedIn: ({ name, posts, url }) => ({
    subject: 'Your posts are waiting for LinkedIn',
    lines: [
      `Hello ${name},`,
      `${posts === 1 ? 'A post is' : `${posts} posts are`} written and waiting, but LinkedIn is not connected, so nothing can go out.`,
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
        ? ['Otherwise these would miss their time, and be held:', ...listPosts(posts)]
        : ['No post that is written now is to go out after that. Later ones would be held.']),
    ],
    button: { label: 'Connect LinkedIn again', url },
  }),
  postFailed: ({ name, opening, reason, isOnLinkedIn, button, url }) => ({
    subject: 'A post was not published',
    lines: [
      `Hello ${name},`,
      'This post was not published. It begins:',
      { quote: opening },
      reason,
      isOnLinkedIn,
    ],
    button: { label: button, url },
  }),
  postUnconfirmed: ({ name, opening, profileUrl, url }) => ({
    subject: 'LinkedIn did not confirm a post',
    lines: [
      `Hello ${name},`,
      'We sent this post, but LinkedIn did not confirm it. It may or may not be on your profile, and we do not send it again by ourselves. It begins:',
      { quote: opening },
      `Look at your profile (${profileUrl}), then tell us with one of two buttons: "It is there" or "Post it again".`,
    ],
    button: { label: 'Decide about the post', url },
  }),
  postMoved: ({ name, opening, isOnLinkedIn, from, to, url }) => ({
    subject: 'A post goes out later than planned',
    lines: [
      `Hello ${name},`,
      `A post could not go out at ${from}. ${isOnLinkedIn} It begins:`,
      { quote: opening },
      `It now goes out at ${to}.`,
    ],
    button: { label: 'See the schedule', url },
  }),
  postsResumed: ({ name, posts, url }) => ({
    subject: 'Missed posts took your next free times',
    lines: [
      `Hello ${name},`,
      `You connected LinkedIn again ${CHOOSE_WITHIN_DAYS} days ago and did not choose what becomes of the posts whose time had passed. So they took your next free times:`,
      ...listPosts(posts),
      'Change or delete them before they go out, if you like.',
    ],
    button: { label: 'See the schedule', url },
  }),
  ...accountTemplates,
  ...approvalTemplates,
  ...leavingTemplates,
  ...paymentTemplates,
  ...supportTemplates,
  ...topicTemplates,
  ...twoStepTemplates,
  ...webhookTemplates,
};

export function mailText<K extends MailKind>(kind: K, data: Mails[K]): MailText {
  return templates[kind](data);
}
