import { Agent, type Dispatcher, request } from 'undici';
import {
  type AddressRules,
  addressRules,
  checkAddress,
  guardedConnector,
  isAllowedUrl,
  untilAborted,
} from './address-guard.ts';

const STORED_BYTES_MAX = 2 * 1024;

/** `error` is a message for the user. Reveals nothing about what is inside a private network. */
export type WebhookResult =
  | { status: number; answer: string; error: null }
  | { status: null; answer: null; error: string };

/** Returns why this URL cannot be a webhook, or null if it can. What it resolves to is not checked here. */
export const webhookUrlProblem = (url: string): string | null =>
  isAllowedUrl(url)
    ? null
    : 'Please give a public address that starts with https:// and names no port or password';

/**
 * Posts JSON to a user's URL within 10 s, without redirects or retries. The address is checked as written, as resolved and
 * as connected. Returns the status and the first 2 KiB of the response, even if its body breaks off. Never throws.
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
    const allHeaders = { 'Content-Type': 'application/json', 'User-Agent': 'Tidepost-Webhooks', ...headers };
    const pending = request(address, { method: 'POST', body, headers: allHeaders, dispatcher, signal });
    // After a timeout it rejects later.
    pending.catch(() => {});
    const response = await untilAborted(pending, signal);
    return { status: response.statusCode, answer: await readBeginning(response.body, signal), error: null };
  } catch {
    const timedOut = `It did not answer within ${rules.timeoutMs / 1000} seconds`;
    return { status: null, answer: null, error: signal.aborted ? timedOut : 'It could not be reached' };
  } finally {
    // Not awaited: it also waits for connections that are still being opened.
    dispatcher.destroy().catch(() => {});
  }
}

/** As text that Postgres can store. */
async function readBeginning(body: Dispatcher.ResponseData['body'], signal: AbortSignal): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  const read = async () => {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= STORED_BYTES_MAX) break;
    }
  };
  const reading = read();
  reading.catch(() => {});
  body.on('error', () => {});
  await untilAborted(reading, signal).catch(() => {});
  return Buffer.concat(chunks).subarray(0, STORED_BYTES_MAX).toString('utf8').replaceAll('\0', '');
}
