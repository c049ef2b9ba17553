import { WriterBusy } from '#app/integrations/writer-errors.ts';

/** The answer, or WriterBusy when it does not come in time; then nothing more is asked. */
export async function inTime<T>(withinMs: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>();
  const givenUp = new AbortController();
  const timer = setTimeout(() => {
    late.reject(new WriterBusy('The writer took too long', null));
    givenUp.abort();
  }, withinMs);
  try {
    return await Promise.race([ask(givenUp.signal), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
