import { db, type Trx } from '#app/db/client.ts';
import { present } from '#app/domain/platform/clock.ts';
import { type Answer, answerOnce } from '#app/domain/platform/idempotency-keys.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { clientNetwork } from '#app/http/client-ip.ts';
import { IDEMPOTENCY_KEY_MAX } from '#app/http/limits.ts';
import { toResponse } from './responses.ts';

/** What a caller calls a request that it may send again; undefined when it does not say. */
export function idempotencyKey({ headers }: Request): string | undefined {
  const key = headers.get('Idempotency-Key');
  if (key === null) return undefined;
  if (/^[\x21-\x7e]+$/.test(key) && key.length <= IDEMPOTENCY_KEY_MAX) return key;
  const message = `An Idempotency-Key has 1 to ${IDEMPOTENCY_KEY_MAX} visible characters`;
  throw new Refusal(400, 'malformed', message);
}

type Keyed = { request: Request; userId: string | null; method: string; body: unknown; key: string };

/**
 * Answers a call with a key: as `handle` does in a transaction of its own, or as it was answered before. A refusal is
 * answered as well.
 */
export async function handleOnce(
  { request, userId, method, body, key }: Keyed,
  requestId: string,
  handle: (trx: Trx) => Promise<Response>,
): Promise<Response> {
  let first: Response | undefined;
  const run = async (trx: Trx): Promise<Answer> => {
    first = await handle(trx).catch((error) => {
      if (error instanceof Refusal) return toResponse(error, requestId, request);
      throw error;
    });
    return { status: first.status, text: await first.clone().text() };
  };
  const call = `${method} ${new URL(request.url).pathname}`;
  const asked = { userId, network: clientNetwork(request), call, key, body };
  const { status, text, isReplayed } = await answerOnce(db(), asked, present(), run);
  if (!isReplayed && first) return first;
  const headers = { 'Content-Type': 'application/json', 'Idempotency-Replayed': 'true' };
  return new Response(text, { status, headers });
}
