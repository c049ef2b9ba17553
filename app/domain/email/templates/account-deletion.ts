import { DELETION_DAYS } from '#app/domain/accounts/limits.ts';
import type { MailText } from '#app/domain/email/content.ts';

export type LeavingMails = {
  deletionBegun: { name: string; at: string; url: string };
  accountKept: { name: string; url: string };
  accountDeleted: { name: string };
};

export const leavingTemplates: { [K in keyof LeavingMails]: (data: LeavingMails[K]) => MailText } = {
  deletionBegun: ({ name, at, url }) => ({
    subject: `Your Tidepost account will be deleted in ${DELETION_DAYS} days`,
    lines: [
      `Hello ${name},`,
      `You asked us to delete your account. That happens on ${at}. Until then nothing is written or published; you were signed out everywhere else, and your API tokens are revoked.`,
      'Your posts, topics, facts, settings and your connection to LinkedIn are deleted then. Posts that are on LinkedIn stay there. Of payments we keep the amount, the dates, the transaction ID and a fingerprint of the screenshot, without your name or address, as bookkeeping law asks.',
      'If it was not you, or you think differently by then: keep the account by the link below, and choose another password.',
    ],
    button: { label: 'Keep my account', url },
  }),
  accountKept: ({ name, url }) => ({
    subject: 'Your Tidepost account stays',
    lines: [
      `Hello ${name},`,
      'Your account is not deleted, and writing and publishing go on.',
      'You were signed out everywhere else when the deletion was asked for: sign in again there, and make new API tokens for your programs.',
    ],
    button: { label: 'Open Tidepost', url },
  }),
  accountDeleted: ({ name }) => ({
    subject: 'Your Tidepost account is deleted',
    why: 'You get this mail because this was the address of an account at Tidepost.',
    lines: [
      `Hello ${name},`,
      'Your account and everything in it is deleted, as you asked. We forget this address too, as soon as this mail is out.',
      'Posts that are on LinkedIn are still there. You can sign up anew at any time.',
    ],
  }),
};
