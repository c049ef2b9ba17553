import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { endInterview } from '#app/domain/voice/interview.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { QUESTIONS } from '#app/routes/voice/tabs.tsx';
import type { Route } from './+types/hide.ts';

const OFFERED_ON = ['/app/topics', '/app/dashboard'];

export const loader = () => redirect(QUESTIONS);

export async function action({ context }: Route.ActionArgs) {
  const from = formDataOf(context).get('from');
  const back = OFFERED_ON.find((page) => page === from) ?? QUESTIONS;
  return press({ context }, back, async () => {
    await endInterview(db(), actorOf(context));
    setFlash(context, 'info', 'The questions are put away. They stay on the page of your voice.');
    return redirect(back);
  });
}

/** Never shown. A route without a component answers an error with bare data. */
export default () => null;
