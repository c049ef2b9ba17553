import { z } from 'zod';
import { requiredText, timeZone } from '../input-schema.ts';
import { CODE_LENGTH, EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts';

const MISSING = 'Please fill in all fields';
const WRONG_EMAIL = 'Please enter one valid email address';
const NO_EMAIL = 'Please enter your email';
const NO_PASSWORDS = 'Please enter both password fields';
const INCOMPLETE_CODE = `Please enter complete ${CODE_LENGTH}-digit code`;

/** Exactly one address, in the form in which addresses are stored and compared. */
const address = (missing: string) =>
  z
    .string({ error: missing })
    .trim()
    .toLowerCase()
    .min(1, { error: missing, abort: true })
    .max(EMAIL_MAX, WRONG_EMAIL)
    .pipe(z.email(WRONG_EMAIL));
const email = address(MISSING);

/** A password that is being chosen. Nothing is trimmed: spaces count. */
const chosenPassword = (missing: string) =>
  z
    .string({ error: missing })
    .min(1, { error: missing, abort: true })
    .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
    .max(PASSWORD_MAX, `Password can have at most ${PASSWORD_MAX} characters`);

/** A form asks for the new password twice: what its second field says. */
const again = (missing: string) => z.string({ error: missing }).min(1, missing);

/** Refuses two passwords that differ, beside the second one, once both are there. */
const sameAs = (field: string) => ({
  error: 'Passwords do not match',
  path: ['confirmPassword'],
  when: ({ value }: { value: unknown }) => {
    const typed = value as Record<string, string | undefined>;
    return Boolean(typed[field] && typed.confirmPassword);
  },
});

export const SignUpInput = z.object({
  name: requiredText('The name', NAME_MAX, MISSING),
  email,
  password: chosenPassword(MISSING),
  // What a browser calls its zone is not the user's to mend.
  timeZone: timeZone.catch('UTC').default('UTC'),
});
export type SignUpInput = z.output<typeof SignUpInput>;

export const SignUpForm = SignUpInput.extend({ confirmPassword: again(MISSING) }).refine(
  (input) => input.password === input.confirmPassword,
  sameAs('password'),
);
export type SignUpForm = z.output<typeof SignUpForm>;

export const LoginInput = z.object({
  // Any text: an address that can't exist is answered like one that doesn't.
  email: z
    .string({ error: MISSING })
    .trim()
    .toLowerCase()
    .min(1, MISSING)
    .refine((value) => !value.includes('\0'), WRONG_EMAIL),
  password: z.string({ error: MISSING }).min(1, MISSING),
});
export type LoginInput = z.output<typeof LoginInput>;

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

/** The address is known from the page before. */
export const ResetForm = ResetInput.omit({ email: true })
  .extend({ confirmPassword: again(NO_PASSWORDS) })
  .refine((input) => input.newPassword === input.confirmPassword, sameAs('newPassword'));
export type ResetForm = z.output<typeof ResetForm>;

const digit = z.string().default('');
const boxes = Array.from({ length: CODE_LENGTH }, (_, index) => [`digit${index + 1}`, digit] as const);

/** The boxes as one code. What is wrong with it is wrong with `otp`. */
export const OtpForm = z
  .object(Object.fromEntries(boxes))
  .transform((digits) => ({ otp: Object.values(digits).join('') }))
  .pipe(z.object({ otp }));
