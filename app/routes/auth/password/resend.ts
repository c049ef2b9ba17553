import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { resendReset } from '#app/domain/accounts/password/reset.ts';
import { databaseNow } from '#app/domain/platform/clock.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { limit } from '#app/http/rate-limit.ts';
import { inConstantTime } from '#app/http/session/constant-time.ts';
import { requireReset } from '#app/http/session/reset-cookie.ts';
import { codeRequester } from '#app/http/session/trusted-browser.ts';
import type { Route } from './+types/resend.ts';

export const loader = () => redirect('/reset-password');

export const action = async ({ request, context }: Route.ActionArgs) => {
  const reset = await requireReset({ request, context });
  return press({ context }, '/reset-password', async () => {
    await limit(request, 'forgot', reset.email);
    const requester = await codeRequester(request, reset.email);
    await inConstantTime(() => resendReset(db(), reset, databaseNow(), requester));
    setFlash(context, 'success', 'Password reset code sent! Check your email.');
    return redirect('/reset-password');
  });
};
