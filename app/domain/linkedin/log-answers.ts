import { linkedInResponses } from '#app/integrations/linkedin/responses.ts';

/** Calls `listener` with every response of LinkedIn, until the returned function is called. */
export function watchLinkedIn(listener: (response: object) => void): () => void {
  const subscriber = (response: unknown) => listener(response as object);
  linkedInResponses.subscribe(subscriber);
  return () => void linkedInResponses.unsubscribe(subscriber);
}
