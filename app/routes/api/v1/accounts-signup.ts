import { SignUpInput } from '#app/domain/accounts/schema.ts';
import { startSignUp } from '#app/domain/accounts/sign-ups.ts';
import { Refusal } from '#app/domain/refusal.ts';
import { apiRoute, created, endpoint } from '#app/http/api.ts';
import { limit } from '#app/http/limit.ts';

const REPEATED = 'This email is registered but not verified. A new code was sent.';

const handler = apiRoute({
  POST: endpoint('public', SignUpInput, async ({ db, input, request }) => {
    await limit(request, 'sign-up', input.email);
    const { email, isRepeated } = await startSignUp(db, input);
    if (isRepeated)
      throw new Refusal(409, 'email_not_verified', REPEATED, { extra: { verified: false, email } });
    return created({ message: 'Account created! Check your email for verification code.', email });
  }),
});

export const loader = handler;
export const action = handler;
