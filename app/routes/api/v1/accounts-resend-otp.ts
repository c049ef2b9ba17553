import { ResendInput } from '#app/domain/accounts/schema.ts';
import { resendCode } from '#app/domain/accounts/sign-ups.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { limit } from '#app/http/limit.ts';

const handler = apiRoute({
  POST: endpoint('public', ResendInput, async ({ db, input, request }) => {
    await limit(request, 'resend', input.email);
    await resendCode(db, input);
    return { message: 'New OTP sent! Check your email for verification code.' };
  }),
});

export const loader = handler;
export const action = handler;
