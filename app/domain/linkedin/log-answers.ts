import { linkedInAnswers } from '#app/integrations/linkedin/responses.ts';

/** Calls `listener` with every response of LinkedIn, until the returned function is called. */
export function watchLinkedIn(listener: (response: object) => void): () => void {
  const subscriber = (response: unknown) => listener(response as object);
  linkedInAnswers.subscribe(subscriber);
  return () => void linkedInAnswers.unsubscribe(subscriber);
}
