import type { MailLine, MailText } from '#app/domain/email/content.ts';

type ToApprove = { text: string; at: string; isLastTime: boolean; isAfterPlan: boolean; link: string };

export type ApprovalMails = {
  approvalAsked: { name: string; posts: ToApprove[]; url: string };
  approvalMoved: { name: string; from: string; post: ToApprove };
  approvalMissed: { name: string; text: string; at: string; url: string };
};

function ifNothing({ isLastTime, isAfterPlan }: ToApprove): string {
  if (isAfterPlan)
    return 'If you do nothing, it is not published. It waits for you: renew your plan before then and approve the post, and it can go out at its time.';
  return isLastTime
    ? 'If you do nothing, it is not published, and is set aside.'
    : 'If you do nothing, it is not published then: it moves to your next free time once, and after that it is set aside.';
}

const toApprove = (post: ToApprove): MailLine[] => [
  `Planned for ${post.at}, ${post.isAfterPlan ? 'if you renew your plan and approve it' : 'once you approve it'}:`,
  { quote: post.text },
  { label: 'Approve, edit or skip this post', url: post.link },
  ifNothing(post),
];

const PRIVATE = 'Each link is for one post and works without signing in, so please do not pass this mail on.';

const counted = (posts: unknown[]) => (posts.length === 1 ? 'A post waits' : `${posts.length} posts wait`);

export const approvalTemplates: { [K in keyof ApprovalMails]: (data: ApprovalMails[K]) => MailText } = {
  approvalAsked: ({ name, posts, url }) => ({
    subject: `${counted(posts)} for your approval`,
    lines: [
      `Hello ${name},`,
      `${counted(posts)} for your approval. Nothing is published before you approve it.`,
      ...posts.flatMap(toApprove),
      'When a post that waits for you gets another time, a new mail like this one tells you. The newest one counts.',
      PRIVATE,
    ],
    button: { label: 'See the schedule', url },
  }),
  approvalMoved: ({ name, from, post }) => ({
    subject: `A post was not approved in time and moved to ${post.at}`,
    lines: [
      `Hello ${name},`,
      `You did not approve this post by ${from}, so it was not published. It moved to your next free time.`,
      ...toApprove(post),
      PRIVATE,
    ],
  }),
  approvalMissed: ({ name, text, at, url }) => ({
    subject: 'A post was set aside, because you did not approve it',
    lines: [
      `Hello ${name},`,
      `You did not approve this post by ${at}, so it was not published. It is set aside.`,
      { quote: text },
      'If you do nothing, it stays set aside and is never published. You can still publish it: it is in Post History under Set aside.',
    ],
    button: { label: 'See what was set aside', url },
  }),
};
