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

export type FeedbackResult = { result?: SubmissionResult<string[]>; similar: SimilarEntry[] };

/**
 * Stores the feedback and redirects to the page that the form names, or else to `to`. If the board has similar entries
 * that the user has not seen yet, nothing is stored: returns these entries and the typed values.
 */
export async function storeFeedback(args: Pick<Route.ActionArgs, 'context'>, to: string) {
  const actor = actorOf(args.context);
  const back = returnPathFrom(formDataOf(args.context), 'back');
  const response = await submit(args, FeedbackForm, async ({ seen, ...input }) => {
    const found = await findSimilar(db(), actor, input.title);
    if (found.some(({ id }) => !seen.includes(id))) {
      const { rating, ...texts } = input;
      const similar = found.map(presentSimilar);
      return {
        result: { initialValue: { ...texts, rating: `${rating ?? 0}` } },
        similar,
      } satisfies FeedbackResult;
    }
    await submitFeedback(db(), actor, input);
    setFlash(args.context, 'success', 'Thank you for your feedback! We appreciate it.');
    return redirect(back ?? to);
  });
  if (response instanceof Response || 'similar' in response) return response;
  return data<FeedbackResult>({ result: response.data, similar: [] }, response.init ?? undefined);
}
