import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { resendCode } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { limit } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { requireAttempt } from '#app/http/session/sign-up-cookie.ts';
import type { Route } from './+types/resend.ts';

export const loader = () => redirect('/verify-otp');

export const action = async ({ request, context }: Route.ActionArgs) => {
  const attempt = await requireAttempt({ request, context });
  return press({ context }, '/verify-otp', async () => {
    await limit(request, 'resend', attempt.email);
    await inConstantTime(() => resendCode(db(), attempt));
    setFlash(context, 'success', 'New OTP sent! Check your email for verification code.');
    return redirect('/verify-otp');
  });
};
