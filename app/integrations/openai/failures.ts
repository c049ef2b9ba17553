import { sdk } from './client.ts';
import { PictureUnseen, WriterBusy, WriterFault } from './errors.ts';

/** An answer that is an error, whatever its status. Its message may hold a masked key: it is read, and never shown. */
export type Refused = {
  status: number;
  code: string;
  type: string;
  param: string;
  message: string;
  headers: Headers | undefined;
};

const TOO_LONG =
  /context.{0,12}(length|window|size)|maximum context|prompt is too long|too many (input )?tokens/i;
const POLICY_CODES =
  /^(content_policy_violation|invalid_prompt|content_filter|ResponsibleAIPolicyViolation|moderation_blocked)$/;
const POLICY = /content (management )?polic|usage polic|safety system|flagged/i;
const NO_QUOTA = /^(insufficient_quota|credit_balance_exhausted|billing_(hard_limit_reached|not_active))$/;

const wordOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** What stands in the `error` of an answer; some servers have a bare sentence there. */
export function refusedBy(body: unknown, status: number, headers?: Headers): Refused {
  const error =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : { message: body };
  return {
    status,
    headers,
    code: wordOf(error.code),
    type: wordOf(error.type),
    param: wordOf(error.param),
    message: wordOf(error.message) || JSON.stringify(body ?? ''),
  };
}

/**
 * What a call that threw means: an answer of the server, to be understood, or WriterBusy. Nothing here is
 * ours to mend: a connection that breaks off in the middle of an answer throws errors of many kinds.
 */
export async function failureOf(error: unknown): Promise<Refused | WriterBusy> {
  const { APIConnectionTimeoutError, APIError, APIUserAbortError } = await sdk();
  const isOver = error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError;
  if (isOver) return new WriterBusy('The writer took too long');
  if (error instanceof APIError && error.status) {
    // The SDK puts the status before the message of the server.
    const said = error.error ?? { message: error.message };
    return refusedBy(said, error.status, error.headers);
  }
  if (error instanceof APIError) return new WriterBusy('The writer cannot be reached');
  return new WriterBusy('The writer answered with broken data');
}

const isOfRequest = ({ status }: Refused) => status === 400 || status === 403 || status === 422;

/** A few servers have no other status for what they cannot do, and say it in a sentence. */
const LONGEST_SENTENCE = 300;
const NOT_DONE =
  /not (?:supported|permitted|implemented|allowed)|unsupported|must be one of|unknown|unrecognized/i;

/** Whether it is about the form of the request: what it says, said differently, may be taken. */
export const isOfForm = ({ status, message }: Refused): boolean =>
  status === 400 ||
  status === 422 ||
  ((status === 500 || status === 501) && message.length <= LONGEST_SENTENCE && NOT_DONE.test(message));

export const isTooLong = (refused: Refused): boolean =>
  refused.status === 413 ||
  refused.code === 'context_length_exceeded' ||
  refused.type === 'exceed_context_size_error' ||
  (isOfRequest(refused) && TOO_LONG.test(refused.message));

export const isAgainstPolicy = (refused: Refused): boolean =>
  POLICY_CODES.test(refused.code) ||
  POLICY_CODES.test(refused.type) ||
  (isOfRequest(refused) && POLICY.test(refused.message));

/** What servers say of a picture that they cannot read. */
const UNREADABLE =
  /unsupported image|invalid[ _]image|image_parse_error|cannot identify image|illegal base64|(?:failed to|could not|cannot|can't|unable to) (?:load|decode|parse|process|read|identify)[^.]{0,20} images?|image(?: is)? too (?:large|big|small)/i;
/** What servers and models without eyes say of any picture, each in its own words and with statuses from 400 to 500. */
const BLIND =
  /image input|image_url|multi-?modal|vision|mmproj|(?:not|n't|cannot) (?:\w+ ){0,2}(?:support|accept|process|take|handle)\w* (?:\w+ ){0,2}images?|(?:at most )?\b0 image|content[^.]{0,60}(?:must be|should be|expected|not of type|of type) (?:an? )?(?:valid )?['"]?string|input should be (?:an? valid string|'text')/i;

/** Whether a request was refused for the picture in it. */
export function unseen({ status, code, message }: Refused, model: string): PictureUnseen | undefined {
  if (status === 401 || status === 403 || status === 429) return undefined;
  if (UNREADABLE.test(`${code} ${message}`)) {
    return new PictureUnseen('The writer cannot read this picture', { isBlind: false });
  }
  if (!BLIND.test(message)) return undefined;
  return new PictureUnseen(`${model} does not look at pictures`, { isBlind: true });
}

/** A sentence for the operator of what an error means. The server's own words stay out. */
export function errorOf(refused: Refused, model: string): WriterBusy | WriterFault {
  const { status, code, type, param, message } = refused;
  if (status === 402 || NO_QUOTA.test(code) || NO_QUOTA.test(type)) {
    return new WriterFault('The writer says that its quota is used up.');
  }
  if ([408, 409, 425, 429].includes(status) || status >= 500) {
    return new WriterBusy(`The writer answered ${status}`, retryAfter(refused.headers));
  }
  if (status >= 300 && status < 400) {
    return new WriterFault(
      `The writer has moved (${status}): OPENAI_BASE_URL has to be the address it sends to.`,
    );
  }
  if (status === 401) return new WriterFault('The writer refuses the key in OPENAI_API_KEY.');
  if (status === 404 && /model|deployment/i.test(`${code} ${message}`)) {
    return new WriterFault(`The writer has no model ${model}: check OPENAI_MODEL.`);
  }
  if (status === 404) return new WriterFault('Nobody writes at the address in OPENAI_BASE_URL (404).');
  const words = [code, type, param].filter((word) => /^[\w.[\]-]{1,60}$/.test(word));
  return new WriterFault(`The writer refuses our requests (${[status, ...words].join(' ')}).`);
}

/** Seconds until it may be asked again: `retry-after-ms`, or `retry-after` in seconds or as an HTTP date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers | undefined, now = Date.now()): number | null {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(ms)) return Math.max(0, ms / 1_000);
  const after = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after);
  const at = Date.parse(after);
  return Number.isNaN(at) ? null : Math.max(0, (at - now) / 1_000);
}
