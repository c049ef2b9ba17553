import type { IncomingMessage, ServerResponse } from 'node:http';
import { present } from '#app/domain/present.ts';
import { type Visit, VisitInput } from '#app/domain/visits/schema.ts';
import { queueVisit } from '#app/domain/visits/visit-queue.ts';
import { type Asked, clientAddress, wholeAddress } from './address.ts';
import { isOurs } from './csrf.ts';

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

/** A visit that is not to be counted is taken like any other, and forgotten. */
export function takeVisit(asked: Asked, visit: Visit): 'taken' | 'foreign' | 'dropped' {
  if (!isFromHere(asked)) return 'foreign';
  if (asksForPrivacy(asked)) return 'taken';
  const userAgent = asked.headers.get('User-Agent') ?? '';
  const isWaiting = queueVisit({
    visit,
    at: present(),
    address: wholeAddress(asked),
    by: clientAddress(asked),
    userAgent,
  });
  return isWaiting ? 'taken' : 'dropped';
}

const ANSWERS = {
  taken: [201, { success: true }],
  foreign: [403, { message: 'Only pages of Tidepost tell of visits', code: 'forbidden' }],
  dropped: [429, { message: 'Too many visits at once', code: 'rate_limited' }],
  malformed: [400, { message: 'The body is not valid JSON', code: 'malformed' }],
} as const;

/** The answer of a call whose visit was looked at. */
export function answerOf(became: keyof typeof ANSWERS): Response {
  const [status, body] = ANSWERS[became];
  const headers: HeadersInit = became === 'dropped' ? { 'Retry-After': '1' } : {};
  return Response.json(body, { status, headers });
}

/** Whether a request is a visit as our pages send it. All others of this address are a call like any. */
export function isBeacon({ method, url, headers }: IncomingMessage): boolean {
  if (url !== VISITS_PATH || method !== 'POST') return false;
  const length = Number(headers['content-length']);
  return length > 0 && length <= BYTES_MAX && headers['content-type'] === 'application/json';
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function becomes(request: IncomingMessage, body: string): [status: number, answer: object] {
  const raw = parsed(body);
  if (raw === undefined) return [...ANSWERS.malformed];
  const { data, error } = VisitInput.safeParse(raw);
  if (!data) {
    const message = error.issues[0]?.message ?? 'The input is not valid';
    return [422, { message, code: 'invalid' }];
  }
  const get = (name: string) => {
    const value = request.headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  };
  return [...ANSWERS[takeVisit({ headers: { get } }, data)]];
}

/**
 * Answers a visit without the way of a page or a call, which costs ten times as much, and without a line in the log: there
 * are as many as pages that are looked at.
 */
export function answerBeacon(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.once('end', () => {
    const [status, answer] = becomes(request, Buffer.concat(chunks).toString('utf8'));
    response.statusCode = status;
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Cache-Control', 'no-store');
    if (status === 429) response.setHeader('Retry-After', '1');
    response.end(JSON.stringify(answer));
  });
}
