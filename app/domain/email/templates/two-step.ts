import { RECOVERY_CODES_FEW, SECOND_STEP_MINUTES } from '#app/domain/accounts/limits.ts';
import type { MailText } from '#app/domain/email/content.ts';

export type TwoStepMails = {
  twoStepChanged: { name: string; change: string; url: string };
  recoveryCodeUsed: { name: string; left: number; url: string };
  secondStepFailed: { name: string; url: string };
};

export const twoStepTemplates: { [K in keyof TwoStepMails]: (data: TwoStepMails[K]) => MailText } = {
  twoStepChanged: ({ name, change, url }) => ({
    subject: 'How you sign in to Tidepost was changed',
    lines: [
      `Hello ${name},`,
      change,
      'If it was not you, somebody else is signed in to your account: choose another password at once, which signs them out, then look through your security settings.',
    ],
    button: { label: 'Open the security settings', url },
  }),
  recoveryCodeUsed: ({ name, left, url }) => ({
    subject: 'A recovery code was used to sign in to Tidepost',
    lines: [
      `Hello ${name},`,
      'Somebody made the first step of signing in to your account, and the second with one of your recovery codes.',
      left === 0 ? 'It was the last one.' : `You have ${left} left.`,
      ...(left <= RECOVERY_CODES_FEW ? ['Please make new ones, so that you can always get in.'] : []),
      'If it was not you, choose another password at once, then make new recovery codes.',
    ],
    button: { label: 'Open the security settings', url },
  }),
  secondStepFailed: ({ name, url }) => ({
    subject: 'Somebody tried to sign in to Tidepost as you',
    lines: [
      `Hello ${name},`,
      'Somebody made the first step of signing in to your account, and entered too many wrong codes for the second. They were not let in.',
      `If it was you, wait ${SECOND_STEP_MINUTES} minutes and try again.`,
      'If it was not you, they know your password, or are signed in to your Google or LinkedIn account. Choose another password here, and look after those accounts as well.',
    ],
    button: { label: 'Choose another password', url },
  }),
};
