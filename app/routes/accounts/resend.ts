import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { resendCode } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { inEvenTime } from '#app/http/even-time.ts';
import { press } from '#app/http/forms.ts';
import { limit } from '#app/http/limit.ts';
import { notify } from '#app/http/notice.ts';
import { requireAttempt } from '#app/http/sign-up-cookie.ts';
import type { Route } from './+types/resend.ts';

export const loader = () => redirect('/verify-otp');

export const action = async ({ request, context }: Route.ActionArgs) => {
  const attempt = await requireAttempt({ request, context });
  return press({ context }, '/verify-otp', async () => {
    await limit(request, 'resend', attempt.email);
    await inEvenTime(() => resendCode(db(), attempt));
    notify(context, 'success', 'New OTP sent! Check your email for verification code.');
    return redirect('/verify-otp');
  });
};
