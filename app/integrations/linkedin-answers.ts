import { type RemoteAnswer, readObject } from './http.ts';

/** LinkedIn said no for good to this call; `code` is its own word for it, when it gave one. */
export type Refused = { kind: 'refused'; code: string | null; message: string; status: number };

/** A definite no that is not about the content: who asks, and with which version of the API. */
export type Denied =
  | Refused
  | { kind: 'unauthorized'; code: string | null; status: number }
  | { kind: 'version'; status: number };

/** Certainly not acted upon; the same call may be made later. */
export type NotPerformed =
  | {
      kind: 'throttled';
      /** A DAY limit holds until 00:00 UTC, `app_day` for every member. */
      scope: 'short' | 'member_day' | 'app_day';
      retryAfterSeconds: number | null;
      status: number;
    }
  | { kind: 'not_sent'; message: string };

const REFUSING = new Set([400, 403, 404, 405, 411, 413, 414, 415, 422]);
const MESSAGE_MAX = 500;
const DAY_SECONDS = 86_400;

/**
 * Reads an answer of /rest that is no success, or undefined when it leaves open whether LinkedIn acted:
 * 408, 3xx, 5xx, and every status that is not known to be a refusal. 409 is open too: it means a
 * concurrent write, which may be this very post. The body can be HTML from the edge.
 */
export function readRefusal(answer: RemoteAnswer): Denied | NotPerformed | undefined {
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
  return { code: typeof code === 'string' ? code : null, message: message.slice(0, MESSAGE_MAX) };
}

function scopeOf(message: string): 'short' | 'member_day' | 'app_day' {
  if (!/\bDAY\b/.test(message)) return 'short';
  return /\bAPPLICATION DAY\b/.test(message) ? 'app_day' : 'member_day';
}

/** The seconds a `Retry-After` asks for, at most a day; null when there is none. */
export function retryAfter({ headers }: RemoteAnswer): number | null {
  const value = headers['retry-after'];
  if (typeof value !== 'string') return null;
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(0, Math.ceil(seconds)), DAY_SECONDS);
}
