import { z } from 'zod';
import { resetPassword, startReset } from '#app/domain/accounts/password/reset.ts';
import {
  ApiLoginInput,
  ForgotInput,
  ResendInput,
  ResetInput,
  SignUpInput,
  VerifyInput,
} from '#app/domain/accounts/schema.ts';
import { endSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in/sign-in.ts';
import { resendCode, startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { verifyByLink } from '#app/domain/accounts/sign-up/verify-link.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { bearerToken, type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { email, id, Message, name } from '#app/http/api/schemas.ts';
import { signInUrl } from '#app/http/oauth/oauth.ts';
import { limit, resetAfterSignIn } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { signInProgram } from '#app/http/session/session.ts';
import { codeRequester } from '#app/http/session/trusted-browser.ts';

const User = z
  .object({
    _id: id,
    name,
    email,
    role: z.enum(['user', 'admin']),
    verified: z.boolean(),
  })
  .meta({ id: 'User' });
type User = z.infer<typeof User>;

const SignedIn = z.object({ token: z.string(), user: User });
const AuthUrl = z.object({ authUrl: z.url() });

/** An account exists only once its email address is verified. */
const userShape = ({ userId, name, email, isAdmin }: Actor): User => ({
  _id: userId,
  name,
  email,
  role: isAdmin ? 'admin' : 'user',
  verified: true,
});

const REPEATED = 'This email is registered but not verified. A new code was sent.';
const EXAMPLE_EMAIL = 'ada@example.com';
const EXAMPLE_PASSWORD = 'four quiet words here';

export const accountsCalls: Calls = {
  '/auth/signup': {
    POST: endpoint({
      summary: 'Signs up, and emails a code that verifies the address',
      access: 'public',
      input: SignUpInput,
      example: { name: 'Ada Marlow', email: EXAMPLE_EMAIL, password: EXAMPLE_PASSWORD },
      isIdempotent: true,
      limit: ({ request, input }) => limit(request, 'sign-up', input.email),
      status: 201,
      response: Message.extend({ email }),
      handle: async ({ db, input }) => {
        const { email, isRepeated } = await inConstantTime(() => startSignUp(db, input));
        if (isRepeated)
          throw new Refusal(409, 'email_not_verified', REPEATED, { extra: { verified: false, email } });
        return { message: 'Account created! Check your email for verification code.', email };
      },
    }),
  },
  '/auth/login': {
    POST: endpoint({
      summary: 'Signs in with a password, and with a second-step code where the account has one',
      access: 'public',
      input: ApiLoginInput,
      example: { email: EXAMPLE_EMAIL, password: EXAMPLE_PASSWORD },
      response: SignedIn,
      handle: async ({ db, input, request }) => {
        await limit(request, 'sign-in', input.email);
        const login = await checkLogin(db, input);
        if (!login.isVerified) {
          const extra = { verified: false, email: login.email };
          const message = `Please verify your email first. ${login.waits ?? 'A new code was sent.'}`;
          throw new Refusal(403, 'email_not_verified', message, { extra });
        }
        const { userId, passwordHash } = login;
        const { token, actor } = await signInProgram(request, userId, { otp: input.otp, passwordHash });
        await resetAfterSignIn(request, input.email);
        return { token, user: userShape(actor) };
      },
    }),
  },
  '/auth/logout': {
    POST: endpoint({
      summary: 'Ends the token of the request',
      access: 'user',
      response: Message,
      handle: async ({ db, request }) => {
        await endSession(db, bearerToken(request)!);
        return { message: 'Signed out' };
      },
    }),
  },
  '/auth/me': {
    GET: endpoint({
      summary: 'Returns the user to whom the token belongs',
      access: 'user',
      response: z.object({ user: User }),
      handle: async ({ actor }) => ({ user: userShape(actor) }),
    }),
  },
  '/auth/verify-otp': {
    POST: endpoint({
      summary: 'Verifies an email address by the emailed code, and signs in',
      access: 'public',
      input: VerifyInput,
      example: { email: EXAMPLE_EMAIL, otp: '123456' },
      response: SignedIn,
      handle: async ({ db, input, request }) => {
        await limit(request, 'code', input.email);
        const { userId } = await inConstantTime(() => verifySignUp(db, input));
        await resetAfterSignIn(request, input.email);
        const { token, actor } = await signInProgram(request, userId);
        return { token, user: userShape(actor) };
      },
    }),
  },
  '/auth/resend-otp': {
    POST: endpoint({
      summary: 'Emails a new code to an address that is not verified yet',
      access: 'public',
      input: ResendInput,
      example: { email: EXAMPLE_EMAIL },
      response: Message,
      handle: async ({ db, input, request }) => {
        await limit(request, 'resend', input.email);
        await inConstantTime(() => resendCode(db, input));
        return { message: 'New OTP sent! Check your email for verification code.' };
      },
    }),
  },
  '/auth/verify-email/:token': {
    GET: endpoint({
      summary: 'Verifies an email address by the token of the emailed link',
      access: 'public',
      response: Message,
      handle: async ({ db, params }) => {
        await verifyByLink(db, params.token ?? '', { isProgram: true });
        return { message: 'Email verified successfully!' };
      },
    }),
  },
  '/auth/google': {
    GET: endpoint({
      summary: 'Returns the address at which a user signs in with Google',
      access: 'public',
      response: AuthUrl,
      handle: async () => ({ authUrl: signInUrl('google') }),
    }),
  },
  '/auth/linkedin': {
    GET: endpoint({
      summary: 'Returns the address at which a user signs in with LinkedIn',
      access: 'public',
      response: AuthUrl,
      handle: async () => ({ authUrl: signInUrl('linkedin') }),
    }),
  },
  '/auth/forgot-password': {
    POST: endpoint({
      summary: 'Emails a code that resets the password',
      access: 'public',
      input: ForgotInput,
      example: { email: EXAMPLE_EMAIL },
      response: Message,
      handle: async ({ db, input, request }) => {
        await limit(request, 'forgot', input.email);
        const asker = await codeRequester(request, input.email);
        await inConstantTime(() => startReset(db, input.email, databaseNow(), asker));
        return { message: 'Password reset code sent! Check your email.' };
      },
    }),
  },
  '/auth/reset-password': {
    POST: endpoint({
      summary: 'Sets a new password and ends every session',
      access: 'public',
      input: ResetInput,
      example: { email: EXAMPLE_EMAIL, otp: '123456', newPassword: EXAMPLE_PASSWORD },
      response: Message.extend({ unlinked: z.array(z.string()).optional() }),
      handle: async ({ db, input, request }) => {
        await limit(request, 'code', input.email);
        const unlinked = await inConstantTime(() => resetPassword(db, input));
        const providers = unlinked.map(({ provider }) => provider);
        const message = 'Password reset successfully!';
        return { message, ...(providers.length > 0 && { unlinked: providers }) };
      },
    }),
  },
};
