import { CODE_MINUTES } from '#app/domain/accounts/limits.ts';
import type { MailText } from '#app/domain/email/content.ts';

export type AccountMails = {
  verifyEmail: { code: string; url: string };
  resetPassword: { name: string; code: string };
  proveOwner: { name: string; code: string };
  /** `others`: sign-in methods besides the password. */
  passwordChanged: {
    name: string;
    unlinked?: [string, string][];
    others?: { waysIn: [string, string][]; url: string };
    publishes?: { as: string; url: string };
    url: string;
  };
  confirmNewEmail: { code: string };
  emailChangeBegun: { name: string; newEmail: string; url: string };
  emailChanged: { name: string; newEmail: string; support: string };
  accountExists: { name: string; loginUrl: string };
  /** `place` is approximate; the mail contains no IP address. */
  newDevice: { name: string; device: string; place?: string; at: string; url: string };
  /** `as`: the address at the provider. */
  signInLinked: { name: string; provider: string; as: string | null; url: string };
  signInUnlinked: { name: string; provider: string; url: string };
  accountDisabled: { name: string; reason: string; support: string };
  accountEnabled: { name: string; url: string };
};

/** For mails to addresses without an account. */
const NOT_YET = 'You get this mail because somebody typed in this address at Tidepost.';

export const accountTemplates: { [K in keyof AccountMails]: (data: AccountMails[K]) => MailText } = {
  // No name: the person who signed up typed it, and may not own this address.
  verifyEmail: ({ code, url }) => ({
    subject: `${code} is your Tidepost code`,
    title: 'Verify your address',
    why: NOT_YET,
    lines: [
      'Hello,',
      'Enter this code to complete the sign-up that was made with this address:',
      { code },
      `It is valid for ${CODE_MINUTES} minutes. You can also open the link below.`,
      'If you did not sign up at Tidepost, ignore this mail: without the code or the link no account is made.',
    ],
    button: { label: 'Verify this address', url },
  }),
  newDevice: ({ name, device, place, at, url }) => ({
    subject: 'New sign-in to your Tidepost account',
    lines: [
      `Hello ${name},`,
      'Your account was signed in to from a browser that it did not know:',
      { facts: Object.entries({ Browser: device, ...(place && { Place: place }), Time: at }) },
      'If it was you, there is nothing to do.',
      'If it was not you, choose another password now. That signs out everybody who is signed in.',
    ],
    button: { label: 'Choose another password', url },
  }),
  signInLinked: ({ name, provider, as, url }) => ({
    subject: `${provider} can now sign in to your Tidepost account`,
    lines: [
      `Hello ${name},`,
      `${provider} was linked to your account. Whoever signs in there${as ? ` as ${as}` : ''} is signed in to your account, too.`,
      'If it was not you, somebody else is signed in to your account: unlink it at once, then choose another password, which signs them out.',
    ],
    button: { label: 'Open the security settings', url },
  }),
  signInUnlinked: ({ name, provider, url }) => ({
    subject: `${provider} no longer signs in to your Tidepost account`,
    lines: [
      `Hello ${name},`,
      `${provider} was unlinked from your account, so it no longer signs you in.`,
      'If it was not you, somebody else is signed in to your account: choose another password at once, which signs them out, then look through your security settings.',
    ],
    button: { label: 'Open the security settings', url },
  }),
  accountExists: ({ name, loginUrl }) => ({
    subject: 'You already have a Tidepost account',
    lines: [
      `Hello ${name},`,
      'Somebody tried to sign up at Tidepost with this address. You already have an account, and nothing about it has changed.',
      'If it was you, sign in as you always do: with your password, a passkey, Google or LinkedIn.',
    ],
    button: { label: 'Sign in', url: loginUrl },
  }),
  resetPassword: ({ name, code }) => ({
    subject: `${code} is your code for a new Tidepost password`,
    title: 'Choose a new password',
    lines: [
      `Hello ${name},`,
      'Somebody asked for a new password for your account. This is the code:',
      { code },
      `It is valid for ${CODE_MINUTES} minutes.`,
      'If it was not you, ignore this mail and tell the code to nobody: your password stays as it is.',
    ],
  }),
  proveOwner: ({ name, code }) => ({
    subject: `${code} is your Tidepost code`,
    title: 'Go on in your account',
    lines: [
      `Hello ${name},`,
      'This is the code to go on with what you asked for in your account:',
      { code },
      `It is valid for ${CODE_MINUTES} minutes.`,
      'If it was not you, somebody else is signed in to your account: tell the code to nobody, and sign out everywhere on the page of your account.',
    ],
  }),
  passwordChanged: ({ name, unlinked, others, publishes, url }) => ({
    subject: 'Your Tidepost password was changed',
    lines: [
      `Hello ${name},`,
      'The password of your account was changed. Every other browser and program that was signed in to it is signed out, and its API tokens are revoked.',
      ...(unlinked
        ? [
            'These were unlinked, as nothing shows that they are yours, and sign in no more:',
            { facts: unlinked },
            'If one of them is yours, link it again in the security settings.',
          ]
        : []),
      ...(others
        ? [
            'These still sign in to it without the password:',
            { facts: others.waysIn },
            'If you do not know one of them, remove it at once:',
            { label: 'Open the security settings', url: others.url },
          ]
        : []),
      ...(publishes
        ? [
            `Posts still go out to the LinkedIn profile of ${publishes.as}. If that is not yours, disconnect it:`,
            { label: 'Open the LinkedIn page', url: publishes.url },
          ]
        : []),
      'If it was not you, somebody else reads your mail or knew your password: secure your mailbox first, then choose another password.',
    ],
    button: { label: 'Choose another password', url },
  }),
  // No name: the recipient is not confirmed.
  confirmNewEmail: ({ code }) => ({
    subject: `${code} is your code for a new Tidepost address`,
    title: 'Use this address at Tidepost',
    why: NOT_YET,
    lines: [
      'Hello,',
      'Somebody wants to use this address for their Tidepost account. This is the code:',
      { code },
      `It is valid for ${CODE_MINUTES} minutes.`,
      'If it was not you, ignore this mail and tell the code to nobody: nothing changes without it.',
    ],
  }),
  emailChangeBegun: ({ name, newEmail, url }) => ({
    subject: 'Somebody asked for another address for your Tidepost account',
    lines: [
      `Hello ${name},`,
      `Somebody who is signed in to your account wants to use ${newEmail} for it from now on. Until the code that was mailed there is entered, nothing changes.`,
      'If it was not you, choose another password: that ends the change, and signs everybody out.',
    ],
    button: { label: 'Choose another password', url },
  }),
  emailChanged: ({ name, newEmail, support }) => ({
    subject: 'Your Tidepost account has another address',
    lines: [
      `Hello ${name},`,
      `Your account now has the address ${newEmail}. Mails go there, and you sign in with it. Every other browser and program that was signed in is signed out, and your API tokens are revoked.`,
      `If it was not you, write to ${support} at once, from this address.`,
    ],
  }),
  accountDisabled: ({ name, reason, support }) => ({
    subject: 'Your Tidepost account was disabled',
    lines: [
      `Hello ${name},`,
      'Your account was disabled. Nothing is written or published for you any more, every browser and program is signed out, and nobody can sign in.',
      { facts: [['Reason', reason]] },
      'Your posts and settings stay as they are, and your plan keeps its end.',
      `If you think that this is a mistake, or want a copy of your data, write to ${support} from this address.`,
    ],
  }),
  accountEnabled: ({ name, url }) => ({
    subject: 'Your Tidepost account works again',
    lines: [
      `Hello ${name},`,
      'Your account was enabled again, so you can sign in. The password and everything else that lets you in are as they were; API tokens have to be made anew.',
      'Posts that waited meanwhile take the next free times. None is sent at once.',
    ],
    button: { label: 'Sign in', url },
  }),
};
