import { linkedInAnswers } from '#app/integrations/linkedin/responses.ts';

/** Tells of every answer of LinkedIn, for the log of this process, until what it returns is called. */
export function watchLinkedIn(tell: (answer: object) => void): () => void {
  const listener = (answer: unknown) => tell(answer as object);
  linkedInAnswers.subscribe(listener);
  return () => void linkedInAnswers.unsubscribe(listener);
}
