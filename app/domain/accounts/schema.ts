import { z } from 'zod';
import { requiredText, timeZone } from '../input-schema.ts';
import { CODE_LENGTH, EMAIL_MAX, NAME_MAX, PASSWORD_MAX, PASSWORD_MIN } from './limits.ts';

const MISSING = 'Please fill in all fields';
const WRONG_EMAIL = 'Please enter one valid email address';
const INCOMPLETE_CODE = `Please enter complete ${CODE_LENGTH}-digit code`;

/** Exactly one address, in the form in which addresses are stored and compared. */
const email = z
  .string({ error: MISSING })
  .trim()
  .toLowerCase()
  .min(1, { error: MISSING, abort: true })
  .max(EMAIL_MAX, WRONG_EMAIL)
  .pipe(z.email(WRONG_EMAIL));

/** A password that is being chosen. Nothing is trimmed: spaces count. */
const newPassword = z
  .string({ error: MISSING })
  .min(1, { error: MISSING, abort: true })
  .min(PASSWORD_MIN, `Password must be at least ${PASSWORD_MIN} characters`)
  .max(PASSWORD_MAX, `Password can have at most ${PASSWORD_MAX} characters`);

export const SignUpInput = z.object({
  name: requiredText('The name', NAME_MAX, MISSING),
  email,
  password: newPassword,
  // What a browser calls its zone is not the user's to mend.
  timeZone: timeZone.catch('UTC').default('UTC'),
});
export type SignUpInput = z.output<typeof SignUpInput>;

/** The form asks for the password twice. */
export const SignUpForm = SignUpInput.extend({
  confirmPassword: z.string({ error: MISSING }).min(1, MISSING),
}).refine((input) => input.password === input.confirmPassword, {
  error: 'Passwords do not match',
  path: ['confirmPassword'],
  when: ({ value }) => {
    const { password, confirmPassword } = value as { password?: string; confirmPassword?: string };
    return Boolean(password && confirmPassword);
  },
});

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

const otp = z.string({ error: INCOMPLETE_CODE }).regex(new RegExp(`^\\d{${CODE_LENGTH}}$`), INCOMPLETE_CODE);

export const VerifyInput = z.object({ email, otp });
export type VerifyInput = z.output<typeof VerifyInput>;

export const ResendInput = z.object({ email });

const digit = z.string().default('');
const boxes = Array.from({ length: CODE_LENGTH }, (_, index) => [`digit${index + 1}`, digit] as const);

/** The boxes as one code. What is wrong with it is wrong with `otp`. */
export const OtpForm = z
  .object(Object.fromEntries(boxes))
  .transform((digits) => ({ otp: Object.values(digits).join('') }))
  .pipe(z.object({ otp }));
