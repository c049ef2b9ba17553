import { linkedInResponses } from '#app/integrations/linkedin/responses.ts';

/** Tells of every answer of LinkedIn, for the log of this process, until what it returns is called. */
export function watchLinkedIn(tell: (answer: object) => void): () => void {
  const listener = (answer: unknown) => tell(answer as object);
  linkedInResponses.subscribe(listener);
  return () => void linkedInResponses.unsubscribe(listener);
}
