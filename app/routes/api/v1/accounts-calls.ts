import { resetPassword, startReset } from '#app/domain/accounts/resets.ts';
import {
  ApiLoginInput,
  ForgotInput,
  ResendInput,
  ResetInput,
  SignUpInput,
  VerifyInput,
} from '#app/domain/accounts/schema.ts';
import { endSession } from '#app/domain/accounts/sessions.ts';
import { checkLogin } from '#app/domain/accounts/sign-in.ts';
import { resendCode, startSignUp, verifySignUp } from '#app/domain/accounts/sign-ups.ts';
import { verifyByLink } from '#app/domain/accounts/verify-link.ts';
import { present } from '#app/domain/present.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { apiRoutes, bearerToken, endpoint } from '#app/http/api.ts';
import { inEvenTime } from '#app/http/even-time.ts';
import { askerOfCode } from '#app/http/known-browser.ts';
import { limit, welcome } from '#app/http/limit.ts';
import { signInProgram } from '#app/http/session.ts';
import { signInAddress } from '#app/http/social.ts';
import { SAYS } from './says-accounts.ts';
import { userShape } from './shapes.ts';

const REPEATED = 'This email is registered but not verified. A new code was sent.';

const handler = apiRoutes({
  '/auth/signup': {
    POST: endpoint(
      'public',
      SignUpInput,
      SAYS.signup,
      async ({ db, input }) => {
        const { email, isRepeated } = await inEvenTime(() => startSignUp(db, input));
        if (isRepeated)
          throw new Refusal(409, 'email_not_verified', REPEATED, { extra: { verified: false, email } });
        return { message: 'Account created! Check your email for verification code.', email };
      },
      { isOnce: true, limit: ({ request, input }) => limit(request, 'sign-up', input.email) },
    ),
  },
  '/auth/login': {
    POST: endpoint('public', ApiLoginInput, SAYS.login, async ({ db, input, request }) => {
      await limit(request, 'sign-in', input.email);
      const login = await checkLogin(db, input);
      if (!login.isVerified) {
        const extra = { verified: false, email: login.email };
        const message = `Please verify your email first. ${login.waits ?? 'A new code was sent.'}`;
        throw new Refusal(403, 'email_not_verified', message, { extra });
      }
      const { userId, passwordHash } = login;
      const { token, actor } = await signInProgram(request, userId, { otp: input.otp, passwordHash });
      await welcome(request, input.email);
      return { token, user: userShape(actor) };
    }),
  },
  '/auth/logout': {
    POST: endpoint('user', null, SAYS.logout, async ({ db, request }) => {
      await endSession(db, bearerToken(request)!);
      return { message: 'Signed out' };
    }),
  },
  '/auth/me': {
    GET: endpoint('user', null, SAYS.me, async ({ actor }) => ({ user: userShape(actor) })),
  },
  '/auth/verify-otp': {
    POST: endpoint('public', VerifyInput, SAYS.verify, async ({ db, input, request }) => {
      await limit(request, 'code', input.email);
      const { userId } = await inEvenTime(() => verifySignUp(db, input));
      await welcome(request, input.email);
      const { token, actor } = await signInProgram(request, userId);
      return { token, user: userShape(actor) };
    }),
  },
  '/auth/resend-otp': {
    POST: endpoint('public', ResendInput, SAYS.resend, async ({ db, input, request }) => {
      await limit(request, 'resend', input.email);
      await inEvenTime(() => resendCode(db, input));
      return { message: 'New OTP sent! Check your email for verification code.' };
    }),
  },
  '/auth/verify-email/:token': {
    GET: endpoint('public', null, SAYS.verifyByLink, async ({ db, params }) => {
      await verifyByLink(db, params.token ?? '', { isProgram: true });
      return { message: 'Email verified successfully!' };
    }),
  },
  '/auth/google': {
    GET: endpoint('public', null, SAYS.provider, async () => ({ authUrl: signInAddress('google') })),
  },
  '/auth/linkedin': {
    GET: endpoint('public', null, SAYS.provider, async () => ({ authUrl: signInAddress('linkedin') })),
  },
  '/auth/forgot-password': {
    POST: endpoint('public', ForgotInput, SAYS.forgot, async ({ db, input, request }) => {
      await limit(request, 'forgot', input.email);
      const asker = await askerOfCode(request, input.email);
      await inEvenTime(() => startReset(db, input.email, present(), asker));
      return { message: 'Password reset code sent! Check your email.' };
    }),
  },
  '/auth/reset-password': {
    POST: endpoint('public', ResetInput, SAYS.reset, async ({ db, input, request }) => {
      await limit(request, 'code', input.email);
      const unlinked = await inEvenTime(() => resetPassword(db, input));
      const providers = unlinked.map(({ provider }) => provider);
      const message = 'Password reset successfully!';
      return { message, ...(providers.length > 0 && { unlinked: providers }) };
    }),
  },
});

export const loader = handler;
export const action = handler;
