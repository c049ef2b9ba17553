import type { SubmissionResult } from '@conform-to/react';
import { data, redirect } from 'react-router';
import { db } from '#app/db/client.ts';
import { FeedbackForm } from '#app/domain/feedback/schema.ts';
import { findSimilar } from '#app/domain/feedback/similar.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { returnPathFrom } from '#app/http/forms/redirect-back.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import type { Route } from './+types/page.ts';
import { presentSimilar, type SimilarEntry } from './present.ts';

export type Answered = { result?: SubmissionResult<string[]>; similar: SimilarEntry[] };

type Args = Pick<Route.ActionArgs, 'context'>;

/**
 * Puts what the form says on the board, and goes on to the page that it was on, or else to `to`. Where the board has similar
 * entries that its sender was not shown yet, these are shown first, with what was typed, and nothing is stored.
 */
export async function storeFeedback(args: Args, to: string) {
  const actor = actorOf(args.context);
  const back = returnPathFrom(formDataOf(args.context), 'back');
  const answer = await submit(args, FeedbackForm, async ({ seen, ...input }) => {
    const found = await findSimilar(db(), actor, input.title);
    if (found.some(({ id }) => !seen.includes(id))) {
      const { rating, ...texts } = input;
      const similar = found.map(presentSimilar);
      return { result: { initialValue: { ...texts, rating: `${rating ?? 0}` } }, similar } satisfies Answered;
    }
    await submitFeedback(db(), actor, input);
    setFlash(args.context, 'success', 'Thank you for your feedback! We appreciate it.');
    return redirect(back ?? to);
  });
  if (answer instanceof Response || 'similar' in answer) return answer;
  return data<Answered>({ result: answer.data, similar: [] }, answer.init ?? undefined);
}
