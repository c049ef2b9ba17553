import { CODE_MINUTES } from '#app/domain/accounts/limits.ts';
import type { MailText } from './mail-text.ts';

export type AccountMails = {
  verifyEmail: { code: string; url: string };
  resetPassword: { name: string; code: string };
  passwordChanged: { name: string; url: string };
  accountExists: { name: string; loginUrl: string };
};

export const accountTemplates: { [K in keyof AccountMails]: (data: AccountMails[K]) => MailText } = {
  // No name: it was typed by whoever signed up, who need not be whoever reads this.
  verifyEmail: ({ code, url }) => ({
    subject: `${code} is your Tidepost code`,
    lines: [
      'Hello,',
      `your verification code is ${code}. It is valid for ${CODE_MINUTES} minutes and completes the sign-up that was made with this address.`,
      'If you did not sign up at Tidepost, ignore this mail: without the code or the link no account is made.',
    ],
    button: { label: 'Verify this address', url },
  }),
  accountExists: ({ name, loginUrl }) => ({
    subject: 'You already have a Tidepost account',
    lines: [
      `Hello ${name},`,
      'somebody tried to sign up at Tidepost with this address. You already have an account, and nothing about it has changed.',
      'If it was you, sign in with your password.',
    ],
    button: { label: 'Sign in', url: loginUrl },
  }),
  resetPassword: ({ name, code }) => ({
    subject: `${code} is your code for a new Tidepost password`,
    lines: [
      `Hello ${name},`,
      `somebody asked for a new password for your account. The code is ${code}. It is valid for ${CODE_MINUTES} minutes.`,
      'If it was not you, ignore this mail and tell the code to nobody: your password stays as it is.',
    ],
  }),
  passwordChanged: ({ name, url }) => ({
    subject: 'Your Tidepost password was changed',
    lines: [
      `Hello ${name},`,
      'the password of your account was changed with a code that was mailed to you. You were signed out everywhere.',
      'If it was not you, somebody else reads your mail: secure your mailbox first, then choose another password.',
    ],
    button: { label: 'Choose another password', url },
  }),
};
