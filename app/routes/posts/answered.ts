import { BY_ITSELF } from './open-forms.ts';

/** What became of a save by itself that got no answer of ours: nobody knows whether it arrived. */
export type Unanswered = { isLost: true };

/**
 * The answer to a form. One that is saved by itself stays where it is, whatever happens on its way; nobody but its
 * fetcher hears of it.
 */
export async function answered<Answer>(request: Request, send: () => Promise<Answer>): Promise<Answer> {
  if (!new URL(request.url).searchParams.has(BY_ITSELF)) return send();
  const lost: Unanswered = { isLost: true };
  return send().catch(() => lost as Answer);
}
