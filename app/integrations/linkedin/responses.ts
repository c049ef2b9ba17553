import { channel } from 'node:diagnostics_channel';
import {
  callRemote,
  parseJsonObject,
  type RemoteCall,
  type RemoteResponse,
} from '#app/integrations/http/call.ts';

/** Response headers by which LinkedIn's support finds a call. */
export type Trace = Partial<Record<keyof typeof TRACED, string>>;

const TRACED = {
  liUuid: ['x-li-uuid'],
  liRequestId: ['x-li-request-id'],
  liFabric: ['x-li-fabric'],
  liPop: ['x-li-pop'],
  liError: ['x-restli-gateway-error', 'x-linkedin-error-response'],
} as const;
const TRACE_MAX = 200;

/** Returns the trace of a response as a property of an outcome, or no property if there is none. */
export function traceOf({ headers }: RemoteResponse): { trace?: Trace } {
  const found = Object.entries(TRACED).flatMap(([key, names]) => {
    const value = names.map((name) => headers[name]).find((each) => each !== undefined);
    return value === undefined ? [] : [[key, String(value).slice(0, TRACE_MAX)]];
  });
  return found.length > 0 ? { trace: Object.fromEntries(found) as Trace } : {};
}

/** Every response of LinkedIn is published here. */
export const linkedInResponses = channel('tidepost:linkedin-answers');

/** Every call to LinkedIn is published here before it is made. */
export const linkedInCalls = channel('tidepost:linkedin-calls');

/** `callRemote` for LinkedIn. The published messages have no query, body or token. */
export async function callLinkedIn(call: RemoteCall): Promise<RemoteResponse> {
  const startedAt = performance.now();
  const { host, pathname } = new URL(call.url);
  linkedInCalls.publish({ method: call.method, path: pathname });
  const response = await callRemote(call);
  const ms = Math.round(performance.now() - startedAt);
  linkedInResponses.publish({
    method: call.method,
    host,
    path: pathname,
    status: response.status,
    ms,
    ...traceOf(response).trace,
  });
  return response;
}

/** LinkedIn refused this call permanently. `code` is LinkedIn's. */
export type Refused = {
  kind: 'refused';
  code: string | null;
  message: string;
  status: number;
  trace?: Trace;
};

/** A permanent refusal of the call, the token or the API version. */
export type Denied =
  | Refused
  | { kind: 'unauthorized'; code: string | null; status: number; trace?: Trace }
  | { kind: 'version'; status: number; trace?: Trace };

/** LinkedIn certainly did nothing; the call may be repeated later. */
export type NotPerformed =
  | {
      kind: 'throttled';
      /** Daily limits last until 00:00 UTC; `app_day` is for all members. */
      scope: 'short' | 'member_day' | 'app_day';
      retryAfterSeconds: number | null;
      status: number;
      trace?: Trace;
    }
  | {
      kind: 'not_sent';
      message: string;
      /** We did not send it, because we were too slow. */
      isOurs?: true;
      trace?: Trace;
    };

const REFUSING = new Set([400, 403, 404, 405, 411, 413, 414, 415, 422]);
const MESSAGE_MAX = 500;
export const RETRY_AFTER_MAX_SECONDS = 86_400;

/**
 * Classifies an error response of /rest. Returns undefined if LinkedIn may have acted: for 3xx, 408, 5xx, and every status
 * that is not known to be a refusal. So is 409, which means a concurrent write that may be this very post. The body may be
 * HTML of a proxy.
 */
export function readRefusal(response: RemoteResponse): Denied | NotPerformed | undefined {
  const refusal = classify(response);
  return refusal && { ...refusal, ...traceOf(response) };
}

function classify(response: RemoteResponse): Denied | NotPerformed | undefined {
  const { status, body } = response;
  const { code, message } = readProblem(body);
  if (status === 401) return { kind: 'unauthorized', code, status };
  if (status === 426) return { kind: 'version', status };
  if (status === 429) {
    return { kind: 'throttled', scope: scopeOf(message), retryAfterSeconds: retryAfter(response), status };
  }
  const isDuplicate = status === 409 && (code === 'DUPLICATE_POST' || /duplicate of urn:li:/i.test(message));
  if (!REFUSING.has(status) && !isDuplicate) return undefined;
  return { kind: 'refused', code, message: message || `LinkedIn answered ${status}`, status };
}

/** `code` and `message` of LinkedIn's error body, which has several shapes. */
export function readProblem(body: string): { code: string | null; message: string } {
  const problem = parseJsonObject(body) ?? {};
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

/** The seconds in Retry-After, at most a day, or null. */
export function retryAfter({ headers }: RemoteResponse): number | null {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, Math.ceil(seconds)), RETRY_AFTER_MAX_SECONDS);
}
