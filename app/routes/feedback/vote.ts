import { redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { vote } from '#app/domain/feedback/votes.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/vote.ts';
import { BOARD } from './paths.ts';

export const loader = () => redirect(BOARD);

/** Accepts only addresses of the board that fit into a header. */
const boardPage = (from: FormDataEntryValue | null) =>
  typeof from === 'string' && /^\/app\/feedback(?:\?[!-"$-~]{0,600})?$/.test(from) ? from : BOARD;

/** The form names the wanted state, so a repeated request changes nothing. */
export async function action({ context, params }: Route.ActionArgs) {
  const form = formDataOf(context);
  const back = `${boardPage(form.get('from'))}#feedback-${params.id}`;
  return press({ context }, BOARD, async () => {
    const isWanted = form.get('wanted') !== 'back';
    await vote(db(), actorOf(context), { feedbackId: params.id, isWanted });
    // The vote was pressed inside the form of new feedback, which the user leaves by it.
    if (form.has('title')) setFlash(context, 'success', 'Your vote counts. Thank you for looking first.');
    return redirect(back);
  });
}

/** Never rendered. A route without a component would answer a 404 as bare data instead of our error page. */
export default () => null;
