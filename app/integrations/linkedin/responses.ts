import { channel } from 'node:diagnostics_channel';
import { callRemote, type RemoteCall, type RemoteResponse, readObject } from '#app/integrations/http/call.ts';

/** By what LinkedIn's support finds a call again: its x-li-* headers, and where the answer broke. */
export type Trace = Partial<Record<keyof typeof TRACED, string>>;

const TRACED = {
  liUuid: ['x-li-uuid'],
  liRequestId: ['x-li-request-id'],
  liFabric: ['x-li-fabric'],
  liPop: ['x-li-pop'],
  liError: ['x-restli-gateway-error', 'x-linkedin-error-response'],
} as const;
const TRACE_MAX = 200;

/** What an answer carries of that, as a member of an outcome; nothing when it carries none. */
export function traceOf({ headers }: RemoteResponse): { trace?: Trace } {
  const found = Object.entries(TRACED).flatMap(([key, names]) => {
    const value = names.map((name) => headers[name]).find((each) => each !== undefined);
    return value === undefined ? [] : [[key, String(value).slice(0, TRACE_MAX)]];
  });
  return found.length > 0 ? { trace: Object.fromEntries(found) as Trace } : {};
}

/** Every answer of LinkedIn is told here; who runs the process logs it. */
export const linkedInResponses = channel('tidepost:linkedin-answers');

/** Every call to LinkedIn is told here before it is made, whether an answer comes or not. */
export const linkedInCalls = channel('tidepost:linkedin-calls');

/** `callRemote` to LinkedIn. What is told of it holds no query, body or token. */
export async function callLinkedIn(call: RemoteCall): Promise<RemoteResponse> {
  const begun = performance.now();
  const { host, pathname } = new URL(call.url);
  linkedInCalls.publish({ method: call.method, path: pathname });
  const answer = await callRemote(call);
  const ms = Math.round(performance.now() - begun);
  linkedInResponses.publish({
    method: call.method,
    host,
    path: pathname,
    status: answer.status,
    ms,
    ...traceOf(answer).trace,
  });
  return answer;
}

/** LinkedIn said no for good to this call; `code` is its own word for it, when it gave one. */
export type Refused = {
  kind: 'refused';
  code: string | null;
  message: string;
  status: number;
  trace?: Trace;
};

/** A definite no that is not about the content: who asks, and with which version of the API. */
export type Denied =
  | Refused
  | { kind: 'unauthorized'; code: string | null; status: number; trace?: Trace }
  | { kind: 'version'; status: number; trace?: Trace };

/** Certainly not acted upon; the same call may be made later. */
export type NotPerformed =
  | {
      kind: 'throttled';
      /** A DAY limit holds until 00:00 UTC, `app_day` for every member. */
      scope: 'short' | 'member_day' | 'app_day';
      retryAfterSeconds: number | null;
      status: number;
      trace?: Trace;
    }
  | {
      kind: 'not_sent';
      message: string;
      /** We were too slow, and did not try. */
      isOurs?: true;
      trace?: Trace;
    };

const REFUSING = new Set([400, 403, 404, 405, 411, 413, 414, 415, 422]);
const MESSAGE_MAX = 500;
/** As long as a wait may be that LinkedIn asks for. */
export const LONGEST_WAIT_SECONDS = 86_400;

/**
 * Reads an answer of /rest that is no success, or undefined when it leaves open whether LinkedIn acted:
 * 408, 3xx, 5xx, and every status that is not known to be a refusal. 409 is open too: it means a
 * concurrent write, which may be this very post. The body can be HTML from the edge.
 */
export function readRefusal(answer: RemoteResponse): Denied | NotPerformed | undefined {
  const refusal = readKind(answer);
  return refusal && { ...refusal, ...traceOf(answer) };
}

function readKind(answer: RemoteResponse): Denied | NotPerformed | undefined {
  const { status, body } = answer;
  const { code, message } = readProblem(body);
  if (status === 401) return { kind: 'unauthorized', code, status };
  if (status === 426) return { kind: 'version', status };
  if (status === 429) {
    return { kind: 'throttled', scope: scopeOf(message), retryAfterSeconds: retryAfter(answer), status };
  }
  const isDuplicate = status === 409 && (code === 'DUPLICATE_POST' || /duplicate of urn:li:/i.test(message));
  if (!REFUSING.has(status) && !isDuplicate) return undefined;
  return { kind: 'refused', code, message: message || `LinkedIn answered ${status}`, status };
}

/** `code` and `message` of LinkedIn's envelope, which comes in several shapes. */
export function readProblem(body: string): { code: string | null; message: string } {
  const problem = readObject(body) ?? {};
  const { inputErrors } = (problem.errorDetails ?? {}) as { inputErrors?: { code?: unknown }[] };
  const code = problem.code ?? (Array.isArray(inputErrors) ? inputErrors[0]?.code : undefined);
  const message = typeof problem.message === 'string' ? problem.message.trim() : '';
  const isCode = typeof code === 'string' && /^[\w.:-]{1,100}$/.test(code);
  return { code: isCode ? code : null, message: message.replaceAll('\0', '').slice(0, MESSAGE_MAX) };
}

function scopeOf(message: string): 'short' | 'member_day' | 'app_day' {
  if (!/\bDAY\b/.test(message)) return 'short';
  return /\bAPPLICATION DAY\b/.test(message) ? 'app_day' : 'member_day';
}

/** The seconds a `Retry-After` asks for, at most a day; null when there is none. */
export function retryAfter({ headers }: RemoteResponse): number | null {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, Math.ceil(seconds)), LONGEST_WAIT_SECONDS);
}
