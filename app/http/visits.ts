import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { present } from '#app/domain/present.ts';
import { type Visit, VisitInput } from '#app/domain/visits/schema.ts';
import { queueVisit } from '#app/domain/visits/visit-queue.ts';
import { logger } from '#app/log.ts';
import { type Asked, addressesOf } from './address.ts';
import { OUR_FAULT } from './api-answers.ts';
import { isOurs } from './csrf.ts';
import { describeInvalid } from './invalid-input.ts';
import { NO_JSON, readJsonText } from './read-json.ts';

export const VISITS_PATH = '/api/v1/visits/track';
/** Ten times as long as the longest that our pages send. */
const BYTES_MAX = 10_000;

/** Who asks not to be followed, in either of two ways, is not. */
export const asksForPrivacy = ({ headers }: Asked): boolean =>
  headers.get('DNT') === '1' || headers.get('Sec-GPC') === '1';

/** Whether no page of another site sends it. What is no browser says nothing of where it comes from. */
function isFromHere({ headers }: Asked): boolean {
  const origin = headers.get('Origin');
  const site = headers.get('Sec-Fetch-Site');
  if (origin !== null && !isOurs(origin, headers.get('Host'))) return false;
  return site === null || site === 'same-origin' || site === 'none';
}

type Answer = { status: number; body: object; retryAfter?: number };

const TAKEN: Answer = { status: 201, body: { success: true } };
const refused = (status: number, code: string, message: string, fields?: object): Answer => ({
  status,
  body: { message, code, ...(fields && { fields }) },
});

/** A visit that is not to be counted is taken like any other, and forgotten. */
function takeVisit(asked: Asked, visit: Visit): Answer {
  if (!isFromHere(asked)) return refused(403, 'forbidden', 'Only pages of Tidepost tell of visits');
  if (asksForPrivacy(asked)) return TAKEN;
  const userAgent = asked.headers.get('User-Agent') ?? '';
  const { whole: address, counted: by } = addressesOf(asked);
  const retryAfter = queueVisit({ visit, at: present(), address, by, userAgent });
  return retryAfter ? { ...refused(429, 'rate_limited', 'Too many visits at once'), retryAfter } : TAKEN;
}

/** The answer of a call that tells of a visit. */
export function answerVisit(asked: Asked, visit: Visit): Response {
  const { status, body, retryAfter } = takeVisit(asked, visit);
  const headers: HeadersInit = retryAfter ? { 'Retry-After': String(retryAfter) } : {};
  return Response.json(body, { status, headers });
}

/** Whether a request is a visit as our pages send it. All others of this address are a call like any. */
export function isBeacon({ method, url, headers }: IncomingMessage): boolean {
  if (url !== VISITS_PATH || method !== 'POST') return false;
  const length = Number(headers['content-length']);
  return length > 0 && length <= BYTES_MAX && headers['content-type'] === 'application/json';
}

const textOf = (chunks: Buffer[]) =>
  (chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)).toString('utf8');

function parsed(body: string): unknown {
  try {
    return readJsonText(body);
  } catch {
    return undefined;
  }
}

function answerOf(request: IncomingMessage, body: string): Answer {
  const raw = parsed(body);
  if (raw === undefined) return refused(400, 'malformed', NO_JSON);
  const { data, error } = VisitInput.safeParse(raw);
  if (!data) {
    const { message, fields } = describeInvalid(error);
    return refused(422, 'invalid', message, fields);
  }
  const get = (name: string) => {
    const value = request.headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  return takeVisit({ headers: { get } }, data);
}

function answerOrFail(request: IncomingMessage, body: string, requestId: string): Answer {
  try {
    return answerOf(request, body);
  } catch (err) {
    logger().error({ err, requestId }, 'api request failed');
    const failed = { message: OUR_FAULT, code: 'internal', requestId };
    return { status: 500, body: failed };
  }
}

/**
 * Answers a visit without the way of a page or a call, which costs ten times as much, and without a line in the log: there
 * are as many as pages that are looked at.
 */
export function answerBeacon(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const requestId = randomUUID();
    const { status, body, retryAfter } = answerOrFail(request, textOf(chunks), requestId);
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Cache-Control', 'no-store');
    response.setHeader('X-Request-Id', requestId);
    if (retryAfter) response.setHeader('Retry-After', String(retryAfter));
    response.end(JSON.stringify(body));
  });
}
