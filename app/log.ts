import pino, { type Logger } from 'pino';
import { env } from './env.ts';

const CUT = '[cut]';
const DEPTH_MAX = 6;
const ENTRIES_MAX = 40;
const TEXT_MAX = 400;
/** Longer texts are truncated before they are searched. */
const SEARCHED_MAX = 10_000;
const FRAMES_MAX = 20;
/** For the message of an error with its causes. */
const MESSAGE_MAX = 1_000;

const ID = /^[\w:.-]{1,64}$/;
const WORD = /^[\w /:.,-]{1,64}$/;
const TRACE = /^[\w+/=.:-]{1,200}$/;

/**
 * Removes what may be secret or personal: quotations, addresses, and what looks like a key. Attackers write some of these
 * texts, so each pattern matches a run of characters from its beginning only, which takes linear time.
 */
const PRIVATE: [RegExp, string][] = [
  [/[\r\n\u2028\u2029]+/g, ' '],
  [/(["`“«]).*?["`”»]/g, `"${CUT}"`],
  [/\b(\w+:\/\/)\S+/g, `$1${CUT}`],
  [/(?<!\S)\S*@\S+/g, CUT],
  [/\b(bearer|basic)\s+\S+/gi, `$1 ${CUT}`],
  [/\b(?=\w*?(?:password|secret|token|authorization|cookie|code|otp|key))(\w+\s*[=:]\s*)\S+/gi, `$1${CUT}`],
  [/\b\d{6}\b/g, CUT],
];
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const LONG_RUN = /[\w+/=~-]{20,}/g;

const isKey = (run: string) => !UUID.test(run) && /\d|[a-z][A-Z]/.test(run);
const withoutKeys = (text: string) => text.replace(LONG_RUN, (run) => (isKey(run) ? CUT : run));

function sentence(text: string): string {
  // The added quotation mark closes a quotation that was cut in two.
  const start = text.length > SEARCHED_MAX ? `${text.slice(0, SEARCHED_MAX)}"` : text;
  const cleaned = PRIVATE.reduce((result, [pattern, by]) => result.replace(pattern, by), start);
  return withoutKeys(cleaned).slice(0, TEXT_MAX);
}

/** A path without segments that may be secret: some URLs end in a token. */
function pathOf(text: string): string {
  const segments = text.replace(/[?#].*$/s, '').split('/');
  const clean = (segment: string) => (/^[\w.:-]*$/.test(segment) ? withoutKeys(segment) : CUT);
  return segments.map(clean).join('/').slice(0, TEXT_MAX);
}

type Clean = (text: string) => string;
type Names = Record<string, Clean>;

const matching =
  (pattern: RegExp): Clean =>
  (text) =>
    pattern.test(text) ? text : CUT;
const id = matching(ID);
const word = matching(WORD);
const trace = matching(TRACE);
const counts = matching(/^[\w\s{}():",.-]{0,300}$/);

/** The properties that may be logged, and how their text is cleaned. All others are cut. */
const HARMLESS: Names = {
  requestId: id,
  jobId: id,
  userId: id,
  postId: id,
  attemptId: id,
  tokenId: id,
  subjectId: id,
  webhookId: id,
  event: word,
  door: word,
  reason: sentence,
  means: word,
  change: word,
  why: word,
  purpose: word,
  provider: word,
  role: word,
  what: word,
  limit: word,
  action: word,
  state: word,
  directive: word,
  blocked: word,
  page: pathOf,
  times: word,
  dropped: word,
  method: word,
  path: pathOf,
  status: word,
  ms: word,
  sweep: word,
  lane: word,
  host: word,
  liUuid: trace,
  liRequestId: trace,
  liFabric: trace,
  liPop: trace,
  liError: trace,
  kept: counts,
  counted: counts,
};
const ERROR_NAMES: Names = {
  type: word,
  message: sentence,
  code: matching(/^(?:[A-Z][A-Z\d_]{2,60}|[\dA-Z]{5}|[a-z][a-z_]{2,40})$/),
  syscall: word,
  errno: word,
  severity: word,
  table: word,
  constraint: word,
  routine: word,
  field: word,
};

function cutValue(value: unknown, clean: Clean | undefined, depth: number): unknown {
  if (value === null || value === undefined) return value;
  if (value instanceof Error) return cutError(value, depth + 1);
  if (Array.isArray(value))
    return depth > DEPTH_MAX
      ? CUT
      : value.slice(0, ENTRIES_MAX).map((item) => cutValue(item, clean, depth + 1));
  if (typeof value === 'object' && !(value instanceof Date)) return cutObject(value, HARMLESS, depth + 1);
  if (!clean) return CUT;
  if (typeof value === 'string') return clean(value);
  return typeof value === 'number' || typeof value === 'boolean' || value instanceof Date ? value : CUT;
}

function cutObject(line: object, names: Names, depth: number): Record<string, unknown> | string {
  if (depth > DEPTH_MAX) return CUT;
  const entries = Object.entries(line).slice(0, ENTRIES_MAX);
  const cut = entries.map(([name, value]) => {
    const clean = Object.hasOwn(names, name) ? names[name] : undefined;
    return [clean || typeof value === 'object' ? name : sentence(name), cutValue(value, clean, depth)];
  });
  return Object.fromEntries(cut);
}

/** An error with its cause and stack frames, which contain no values. */
function cutError(error: Error, depth: number): Record<string, unknown> | string {
  const { name: type, message, stack: _stack, ...more } = error;
  const properties = { type, message, ...more, ...(error.cause ? { cause: error.cause } : {}) };
  if (error instanceof AggregateError) Object.assign(properties, { errors: error.errors });
  const cut = cutObject(properties, { ...HARMLESS, ...ERROR_NAMES }, depth);
  if (typeof cut === 'string') return cut;
  return { ...cut, stack: framesOf(error).slice(0, FRAMES_MAX).join('\n') };
}

const framesOf = ({ stack }: Error) => (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));

/** The messages of an error that was cut, of its causes and of its errors. */
function messagesOf(cut: unknown): string[] {
  if (typeof cut !== 'object' || cut === null) return [String(cut)];
  const { type, message, code, constraint, cause, errors } = cut as Record<string, unknown>;
  const kind = /^(?:Aggregate)?error$/i.test(String(type)) ? '' : `${type}: `;
  const details = [code, constraint].filter(Boolean).join(', ');
  const causes = [cause, errors].flat().filter(Boolean);
  return [`${kind}${message}${details && ` (${details})`}`, ...causes.flatMap(messagesOf)];
}

/** Returns an error that may be stored: its message has, on one line, only what the log would write. */
export function loggedError(error: unknown): Error {
  const messages = new Set(messagesOf(cutValue(error, undefined, 0)));
  const text = [...messages].join('; ').slice(0, MESSAGE_MAX);
  // Postgres cannot store U+0000.
  const logged = new Error(text.replaceAll('\0', ' ').toWellFormed());
  logged.stack = error instanceof Error ? framesOf(error).join('\n') : '';
  return logged;
}

let instance: Logger | undefined;
let readContext = (): object => ({});

/** From now on, every line has the properties that `read` returns, unless it has its own. */
export const setLogContext = (read: () => object): void => {
  readContext = read;
};

/** The structured log. Writes only the properties in HARMLESS, at any depth, and removes from texts what may be secret. */
export function logger(): Logger {
  instance ??= pino({
    level: env().LOG_LEVEL,
    base: undefined,
    mixin: () => ({ ...readContext() }),
    serializers: { err: (error) => error },
    formatters: { log: (line) => cutObject(line, HARMLESS, 0) as Record<string, unknown> },
    hooks: {
      logMethod([line, text], write) {
        if (typeof line === 'string') write.call(this, sentence(line));
        else write.call(this, line, sentence(text ?? 'an error'));
      },
    },
  });
  return instance;
}

/** Logs an uncaught exception like any other line, and exits. Node would print it with all its values. */
export function exitOnUncaughtException(): void {
  process.on('uncaughtException', (err) => {
    logger().fatal({ err }, 'ended by a fault that nobody waited for');
    process.exit(1);
  });
}
