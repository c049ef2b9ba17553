import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { cancelPlan } from '#app/domain/payments/subscription/cancel.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/cancel.ts';

export const loader = () => redirect('/app/payments');

export const action = ({ context }: Route.ActionArgs) =>
  press({ context }, '/app/payments', async () => {
    const actor = actorOf(context);
    const { endsAt } = await cancelPlan(db(), actor);
    setFlash(context, 'success', `Plan cancelled. It runs until ${formatDate(endsAt!, actor.timeZone)}.`);
    return redirect('/app/payments');
  });
