import { Agent, type Dispatcher, request } from 'undici';
import {
  type AddressRules,
  addressRules,
  checkAddress,
  guardedConnector,
  untilAborted,
} from './address-guard.ts';

const ANSWER_BYTES_MAX = 2 * 1024;

/** What became of one call. `error` is a sentence for its owner, which never tells what answers inside a network. */
export type WebhookResult =
  | { status: number; answer: string; error: null }
  | { status: null; answer: null; error: string };

const notAnswered = (error: string): WebhookResult => ({ status: null, answer: null, error });

/** Why an address takes no events, in a sentence; null when it may. What it resolves to shows only when it is called. */
export function webhookUrlProblem(url: string, rules: AddressRules = addressRules()): string | null {
  try {
    checkAddress(url, undefined, rules);
    return null;
  } catch {
    return 'Please give a public address that starts with https:// and names no port or password';
  }
}

/**
 * Posts JSON to an address that a user named: no redirects, no retries, and `timeoutMs` for the whole, 10 s. The address is
 * checked as it is written, as it resolves and as it was dialled. A status line that came stands, whatever becomes of the
 * rest; of the answer the first 2 KiB are kept. Throws nothing.
 */
export async function postWebhook(
  url: string,
  body: string,
  headers: Record<string, string>,
  own: Partial<AddressRules> = {},
): Promise<WebhookResult> {
  const rules = { ...addressRules(), ...own };
  const signal = AbortSignal.timeout(rules.timeoutMs);
  const dispatcher = new Agent({ allowH2: false, connect: guardedConnector(rules) });
  try {
    const address = checkAddress(url, undefined, rules);
    const sent = { 'Content-Type': 'application/json', 'User-Agent': 'Tidepost-Webhooks', ...headers };
    const asked = request(address, { method: 'POST', body, headers: sent, dispatcher, signal });
    // One that was given up fails later, when nobody waits for it.
    asked.catch(() => {});
    const { statusCode, body: answer } = await untilAborted(asked, signal);
    return { status: statusCode, answer: await beginningOf(answer, signal), error: null };
  } catch {
    return notAnswered(
      signal.aborted
        ? `It did not answer within ${rules.timeoutMs / 1000} seconds`
        : 'It could not be reached',
    );
  } finally {
    // Not waited for: it ends with the connections that are still being made.
    dispatcher.destroy().catch(() => {});
  }
}

/** As much as is kept of an answer, as text that a database can hold. */
async function beginningOf(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const read = async () => {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= ANSWER_BYTES_MAX) break;
    }
  };
  const reading = read();
  reading.catch(() => {});
  body.on('error', () => {});
  await untilAborted(reading, signal).catch(() => {});
  return Buffer.concat(chunks).subarray(0, ANSWER_BYTES_MAX).toString('utf8').replaceAll('\0', '');
}
