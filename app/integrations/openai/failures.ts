import { loadSdk } from './client.ts';
import { PictureUnseen, WriterBusy, WriterFault } from './errors.ts';

/** An error response with any status. `message` may contain a masked key, so it must never be shown. */
export type ErrorResponse = {
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

const textOf = (value: unknown) =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** Parses the `error` of a response, which may be just a string. */
export function parseErrorBody(body: unknown, status: number, headers?: Headers): ErrorResponse {
  const error =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : { message: body };
  return {
    status,
    headers,
    code: textOf(error.code),
    type: textOf(error.type),
    param: textOf(error.param),
    message: textOf(error.message) || JSON.stringify(body ?? ''),
  };
}

/** Turns an error of the SDK into the server's error response, or into WriterBusy for everything else. */
export async function classifyError(error: unknown): Promise<ErrorResponse | WriterBusy> {
  const { APIConnectionTimeoutError, APIError, APIUserAbortError } = await loadSdk();
  const isTimeout = error instanceof APIConnectionTimeoutError || error instanceof APIUserAbortError;
  if (isTimeout) return new WriterBusy('The writer took too long');
  if (error instanceof APIError && error.status) {
    return parseErrorBody(error.error ?? { message: error.message }, error.status, error.headers);
  }
  if (error instanceof APIError) return new WriterBusy('The writer cannot be reached');
  return new WriterBusy('The writer answered with broken data');
}

const isRequestError = ({ status }: ErrorResponse) => status === 400 || status === 403 || status === 422;

/** Some servers send 500 for unsupported features, with a short message. */
const MESSAGE_MAX = 300;
const UNSUPPORTED =
  /not (?:supported|permitted|implemented|allowed)|unsupported|must be one of|unknown|unrecognized/i;

/** Whether the same request may succeed in another format. */
export const isAboutRequestFormat = ({ status, message }: ErrorResponse): boolean =>
  status === 400 ||
  status === 422 ||
  ((status === 500 || status === 501) && message.length <= MESSAGE_MAX && UNSUPPORTED.test(message));

export const isContextTooLong = (error: ErrorResponse): boolean =>
  error.status === 413 ||
  error.code === 'context_length_exceeded' ||
  error.type === 'exceed_context_size_error' ||
  (isRequestError(error) && TOO_LONG.test(error.message));

export const isAgainstPolicy = (error: ErrorResponse): boolean =>
  POLICY_CODES.test(error.code) ||
  POLICY_CODES.test(error.type) ||
  (isRequestError(error) && POLICY.test(error.message));

const UNREADABLE =
  /unsupported image|invalid[ _]image|image_parse_error|cannot identify image|illegal base64|(?:failed to|could not|cannot|can't|unable to) (?:load|decode|parse|process|read|identify)[^.]{0,20} images?|image(?: is)? too (?:large|big|small)/i;
/** Errors of servers and models that do not support pictures, with statuses from 400 to 500. */
const BLIND =
  /image input|image_url|multi-?modal|vision|mmproj|(?:not|n't|cannot) (?:\w+ ){0,2}(?:support|accept|process|take|handle)\w* (?:\w+ ){0,2}images?|(?:at most )?\b0 image|content[^.]{0,60}(?:must be|should be|expected|not of type|of type) (?:an? )?(?:valid )?['"]?string|input should be (?:an? valid string|'text')/i;

/** Returns the error if a request was refused because of its picture. */
export function imageError(
  { status, code, message }: ErrorResponse,
  model: string,
): PictureUnseen | undefined {
  if (status === 401 || status === 403 || status === 429) return undefined;
  if (UNREADABLE.test(`${code} ${message}`)) {
    return new PictureUnseen('The writer cannot read this picture', { isBlind: false });
  }
  if (!BLIND.test(message)) return undefined;
  return new PictureUnseen(`${model} does not look at pictures`, { isBlind: true });
}

/** Returns an error with a message for the operator, which contains none of the server's text. */
export function toWriterError(error: ErrorResponse, model: string): WriterBusy | WriterFault {
  const { status, code, type, param, message } = error;
  if (status === 402 || NO_QUOTA.test(code) || NO_QUOTA.test(type)) {
    return new WriterFault('The writer says that its quota is used up.');
  }
  if ([408, 409, 425, 429].includes(status) || status >= 500) {
    return new WriterBusy(`The writer answered ${status}`, retryAfter(error.headers));
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
  const details = [code, type, param].filter((text) => /^[\w.[\]-]{1,60}$/.test(text));
  return new WriterFault(`The writer refuses our requests (${[status, ...details].join(' ')}).`);
}

/** The seconds in `retry-after-ms`, or in `retry-after`, which may be an HTTP date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers | undefined, now = Date.now()): number | null {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(ms)) return Math.max(0, ms / 1_000);
  const after = headers?.get('retry-after')?.trim() ?? '';
  if (/^\d+(\.\d+)?$/.test(after)) return Number(after);
  const date = Date.parse(after);
  return Number.isNaN(date) ? null : Math.max(0, (date - now) / 1_000);
}
