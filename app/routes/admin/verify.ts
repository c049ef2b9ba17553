import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { verifyPayment } from '#app/domain/payments/review.ts';
import { press } from '#app/http/forms.ts';
import { notify } from '#app/http/notice.ts';
import { actorOf } from '#app/http/session.ts';
import type { Route } from './+types/verify.ts';

const PAGE = '/app/admin?tab=payments';

export const loader = () => redirect(PAGE);

export const action = ({ context, params }: Route.ActionArgs) =>
  press({ context }, PAGE, async () => {
    await verifyPayment(db(), actorOf(context), params.id);
    notify(context, 'success', 'Payment verified and subscription activated!');
    return redirect(PAGE);
  });
