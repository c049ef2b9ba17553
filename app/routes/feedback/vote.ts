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

/** The page of the board that a vote was pressed on; only ours count, and what a header can hold. */
const boardOf = (from: FormDataEntryValue | null) =>
  typeof from === 'string' && /^\/app\/feedback(?:\?[!-"$-~]{0,600})?$/.test(from) ? from : BOARD;

/** Says which state is wanted, so that two presses of one button do the same as one. */
export async function action({ context, params }: Route.ActionArgs) {
  const form = formDataOf(context);
  const wanted = form.get('wanted');
  const back = `${boardOf(form.get('from'))}#feedback-${params.id}`;
  return press({ context }, BOARD, async () => {
    const isWanted = wanted !== 'back';
    await vote(db(), actorOf(context), { feedbackId: params.id, isWanted });
    // Whoever votes in the place of saying it again has left the form.
    if (form.has('title')) setFlash(context, 'success', 'Your vote counts. Thank you for looking first.');
    return redirect(back);
  });
}

/** Never shown. Without a page the answer to an address that is not there would be bare data, not our error page. */
export default () => null;
