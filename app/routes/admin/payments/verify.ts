import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { requireRecentAuth } from '#app/http/session/require-recent-auth.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/verify.ts';

export const middleware: Route.MiddlewareFunction[] = [requireRecentAuth];

const PAGE = '/app/admin?tab=payments';

export const loader = () => redirect(PAGE);

export const action = ({ context, params }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    const { status } = await verifyPayment(db(), actorOf(context), params.id);
    const verified = 'Payment verified and subscription activated!';
    const verifiedFirst = 'Verified by you. Another admin has to verify it, too.';
    setFlash(context, 'success', status === 'active' ? verified : verifiedFirst);
    return redirect(PAGE);
  });
