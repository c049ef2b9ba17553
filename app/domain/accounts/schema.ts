import { z } from 'zod';
import { cut, requiredText, timeZone } from '#app/domain/platform/input-schema.ts';
import {
  CODE_LENGTH,
  DISABLE_REASON_MAX,
  EMAIL_MAX,
  INCOMPLETE_CODE,
  NAME_MAX,
  PASSKEY_NAME_MAX,
  PASSWORD_MAX,
  PASSWORD_MIN,
  TOKEN_DAYS_MAX,
  TOKEN_NAME_MAX,
  TOKEN_SCOPES,
} from './limits.ts';

/** Longer than any code. */
const SECOND_STEP_CODE_MAX = 60;
const PASSKEY_ANSWER_MAX = 20_000;
/** At most 1,023 bytes (WebAuthn), as base64url. */
const passkeyId = z.string().regex(/^[\w-]{1,1364}$/);
const transport = z.string().regex(/^[a-z-]{1,20}$/);

const MISSING = 'Please fill in all fields';
const WRONG_EMAIL = 'Please enter one valid email address';
const NO_EMAIL = 'Please enter your email';
const NO_PASSWORDS = 'Please enter both password fields';
const NO_PASSKEY = 'This passkey could not be checked. Please try again.';

const LABEL_MAX = 63;

/** A domain as DNS has it, so that a look-alike never equals another one. Long texts are returned unchanged. */
function domainInAscii(email: string): string {
  if (email.length > EMAIL_MAX) return email;
  const [, mailbox, domain] = /^(.*)@([^@/?#:\\%\s]+)$/u.exec(email) ?? [];
  if (domain === undefined || /^\p{ASCII}*$/u.test(domain) || !URL.canParse(`http://${domain}`)) return email;
  const { hostname } = new URL(`http://${domain}`);
  return hostname.split('.').some((label) => label.length > LABEL_MAX) ? email : `${mailbox}@${hostname}`;
}

/** One address, in the form in which addresses are stored and compared. */
export const address = (missing: string) =>
  z
    .string({ error: missing })
    .trim()
    .toLowerCase()
    .min(1, { error: missing, abort: true })
    .max(EMAIL_MAX, WRONG_EMAIL)
    .transform(domainInAscii)
    .pipe(z.email(WRONG_EMAIL).max(EMAIL_MAX, WRONG_EMAIL));
const email = address(MISSING);

/** Nothing is trimmed: spaces count. */
const chosenPassword = (missing: string) =>
  z
    .string({ error: missing })
    .min(1, { error: missing, abort: true })
    .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
    .max(PASSWORD_MAX, `Password can have at most ${PASSWORD_MAX} characters`);

const confirmation = (missing: string) => z.string({ error: missing }).min(1, missing);

/** Reports the error at the confirmation field, once both fields are filled in. */
const sameAs = (field: string) => ({
  error: 'Passwords do not match',
  path: ['confirmPassword'],
  when: ({ value }: { value: unknown }) => {
    const values = value as Record<string, string | undefined>;
    return Boolean(values[field] && values.confirmPassword);
  },
});

export const SignUpInput = z.object({
  name: requiredText('The name', NAME_MAX, MISSING),
  email,
  password: chosenPassword(MISSING),
  // Users can't correct a zone that their browser sent.
  timeZone: timeZone.catch('UTC').default('UTC'),
});
export type SignUpInput = z.output<typeof SignUpInput>;

export const SignUpForm = SignUpInput.extend({ confirmPassword: confirmation(MISSING) }).refine(
  (input) => input.password === input.confirmPassword,
  sameAs('password'),
);
export type SignUpForm = z.output<typeof SignUpForm>;

export const LoginInput = z.object({
  // Any text: an invalid address gets the same response as an unknown one.
  email: z
    .string({ error: MISSING })
    .trim()
    .toLowerCase()
    .min(1, MISSING)
    .refine((value) => !value.includes('\0'), WRONG_EMAIL)
    .transform(domainInAscii),
  password: z.string({ error: MISSING }).min(1, MISSING),
});
export type LoginInput = z.output<typeof LoginInput>;

const secondStep = z.string().trim().max(SECOND_STEP_CODE_MAX, 'This is not a code');

export const ApiLoginInput = LoginInput.extend({ otp: secondStep.optional() });

export const ForgotInput = z.object({ email: address(NO_EMAIL) });
export type ForgotInput = z.output<typeof ForgotInput>;

const otp = z
  .string({ error: INCOMPLETE_CODE })
  .trim()
  .regex(new RegExp(`^\\d{${CODE_LENGTH}}$`), INCOMPLETE_CODE);

export const VerifyInput = z.object({ email, otp });
export type VerifyInput = z.output<typeof VerifyInput>;

export const ResendInput = z.object({ email });

export const ResetInput = z.object({ email, otp, newPassword: chosenPassword(NO_PASSWORDS) });
export type ResetInput = z.output<typeof ResetInput>;

export const ResetForm = ResetInput.omit({ email: true })
  .extend({ confirmPassword: confirmation(NO_PASSWORDS) })
  .refine((input) => input.newPassword === input.confirmPassword, sameAs('newPassword'));
export type ResetForm = z.output<typeof ResetForm>;

/** The password, or the mailed code of a user without one: a form has one of the two fields. */
export const ReauthInput = z.object({
  password: z.string().max(PASSWORD_MAX, 'This is not your password').optional(),
  otp: z.string().trim().max(EMAIL_MAX).optional(),
});
export type ReauthInput = z.output<typeof ReauthInput>;

export const NameInput = z.object({ name: requiredText('The name', NAME_MAX, 'Please enter your name') });
export type NameInput = z.output<typeof NameInput>;

export const TimeZoneInput = z.object({ timeZone });
export type TimeZoneInput = z.output<typeof TimeZoneInput>;

export const NewEmailInput = ReauthInput.extend({ email: address(NO_EMAIL) });
export type NewEmailInput = z.output<typeof NewEmailInput>;

export const NewPasswordForm = ReauthInput.extend({
  newPassword: chosenPassword(NO_PASSWORDS),
  confirmPassword: confirmation(NO_PASSWORDS),
}).refine((input) => input.newPassword === input.confirmPassword, sameAs('newPassword'));
export type NewPasswordForm = z.output<typeof NewPasswordForm>;

const WRONG_DAYS = `Choose 1 to ${TOKEN_DAYS_MAX} days`;

export const TokenInput = z.object({
  name: requiredText('The name', TOKEN_NAME_MAX, 'Please give the token a name'),
  scope: z.enum(TOKEN_SCOPES, { error: 'Choose whether the token may only read, or also write' }),
  // Forms send a string, programs a number.
  days: z
    .union(
      [
        z
          .string()
          .regex(/^\d{1,3}$/)
          .transform(Number),
        z.number(),
      ],
      { error: WRONG_DAYS },
    )
    .pipe(z.int(WRONG_DAYS).min(1, WRONG_DAYS).max(TOKEN_DAYS_MAX, WRONG_DAYS))
    .optional(),
});
export type TokenInput = z.output<typeof TokenInput>;

const digit = z.string().default('');
const boxes = Array.from({ length: CODE_LENGTH }, (_, index) => [`digit${index + 1}`, digit] as const);

/** One field for each digit of the app's code, or a recovery code in one field. */
export const SecondStepForm = z
  .object({ ...Object.fromEntries(boxes), otp: z.string().default('') })
  .transform(({ otp: recoveryCode, ...digits }) => ({ otp: recoveryCode || Object.values(digits).join('') }))
  .pipe(z.object({ otp: secondStep.min(1, 'Please enter the code') }));

const passkeyName = requiredText('The name', PASSKEY_NAME_MAX, 'Please give the passkey a name');
export const PasskeyRename = z.object({ id: z.string(), name: passkeyName });

/** The browser's response, as JSON in a field. The WebAuthn library verifies the rest. */
const credential = <Response extends z.ZodRawShape>(response: Response) =>
  z
    .string()
    .max(PASSKEY_ANSWER_MAX)
    .transform((text, ctx) => {
      try {
        return JSON.parse(text) as unknown;
      } catch {
        ctx.addIssue({ code: 'custom', message: NO_PASSKEY });
        return z.NEVER;
      }
    })
    .pipe(
      z.object(
        {
          id: passkeyId,
          rawId: passkeyId,
          type: z.literal('public-key'),
          clientExtensionResults: z.object({}),
          response: z.object(response),
        },
        { error: NO_PASSKEY },
      ),
    );

/** The first code of a new app, with reauthentication. */
export const AppForm = ReauthInput.extend({
  code: requiredText('The code', SECOND_STEP_CODE_MAX, 'Please enter the code of your app'),
});
export type AppForm = z.output<typeof AppForm>;
export const NewPasskeyForm = ReauthInput.extend({ name: passkeyName });
export type NewPasskeyForm = z.output<typeof NewPasskeyForm>;

export const PasskeySignIn = z.object({
  response: credential({
    clientDataJSON: z.string(),
    authenticatorData: z.string(),
    signature: z.string(),
    userHandle: z.string().optional(),
  }),
});
export const PasskeyRegistration = z.object({
  name: passkeyName,
  response: credential({
    clientDataJSON: z.string(),
    attestationObject: z.string(),
    transports: z.array(transport).max(10).optional(),
  }),
});

/** One field for each digit. Errors are reported for `otp`. */
export const OtpForm = z
  .object(Object.fromEntries(boxes))
  .transform((digits) => ({ otp: Object.values(digits).join('') }))
  .pipe(z.object({ otp }));

/** An address from a provider, in the form in which addresses are stored. */
export const ProviderEmail = email;

/** A name from a provider, or undefined when it is not a valid name. */
export const providerName = (name: string): string | undefined =>
  requiredText('The name', NAME_MAX, MISSING).safeParse(cut(name.replaceAll('\0', ''), NAME_MAX)).data;

export const SocialStart = z.object({ timeZone: timeZone.optional().catch(undefined) });

export const ProviderChoice = z.object({ provider: z.enum(['google', 'linkedin']) });

export const SOCIAL_ERRORS = {
  access_denied: 'You did not allow it there. You can try again, or use your email and password.',
  state_invalid: 'This was begun too long ago or in another browser. Please begin again.',
  provider_failed: 'The answer could not be checked. Please try again in a minute.',
  email_unverified:
    'No verified email address came with this account. Verify it there first, or sign up with your email.',
  code_over: 'This was begun too long ago or in another browser. Please begin again.',
  link_over: 'This was begun too long ago or with another account. Please begin again.',
  identity_taken: 'This account signs in to another Tidepost account. Unlink it there first.',
  has_another: 'Another account of the same provider is linked already. Unlink it first.',
  not_linked: 'This account is not linked.',
  not_configured: 'This way to sign in is not set up here.',
  account_erased: 'This account is being deleted, and nobody can sign in to it any more.',
  account_disabled:
    'This account has been stopped, and nobody can sign in to it. Write to our support to ask why.',
} as const;
export type SocialError = keyof typeof SOCIAL_ERRORS;

export const socialErrorText = (code: string): string | undefined =>
  Object.hasOwn(SOCIAL_ERRORS, code) ? SOCIAL_ERRORS[code as SocialError] : undefined;

export const EmptyInput = z.object({});

export const DisableInput = z.object({
  reason: requiredText('The reason', DISABLE_REASON_MAX, 'Please give a reason'),
});
