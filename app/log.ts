import pino, { type Logger } from 'pino';
import { env } from '#app/env.ts';

const CUT = '[cut]';
const DEEPEST = 6;
const WIDEST = 40;
const LONGEST = 400;
/** So much of a text is looked at, and with a quote that it cuts in two it ends. */
const MOST_READ = 10_000;
const MOST_FRAMES = 20;
/** So much is told of an error and of all that stands behind it. */
const MOST_TOLD = 1_000;

const ID = /^[\w:.-]{1,64}$/;
const WORD = /^[\w /:.,-]{1,64}$/;
/** What LinkedIn calls an answer, by which its support finds it again. */
const TRACE = /^[\w+/=.:-]{1,200}$/;

/**
 * What a text holds that may be a secret or somebody's own: what is quoted, addresses, and what looks like a key. Strangers
 * write some of these texts, so a run of characters is read from its beginning alone, not from each of them.
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
/** A run that long is no word of a language. */
const LONG_RUN = /[\w+/=~-]{20,}/g;

const isKey = (run: string) => !UUID.test(run) && /\d|[a-z][A-Z]/.test(run);
const withoutKeys = (text: string) => text.replace(LONG_RUN, (run) => (isKey(run) ? CUT : run));

/** A sentence on one line, without what may be a secret. */
function sentence(text: string): string {
  const read = text.length > MOST_READ ? `${text.slice(0, MOST_READ)}"` : text;
  const plain = PRIVATE.reduce((said, [private_, by]) => said.replace(private_, by), read);
  return withoutKeys(plain).slice(0, LONGEST);
}

/** A path without segments that may be secrets: some addresses of the API and of mails end in one. */
function pathOf(text: string): string {
  const segments = text.replace(/[?#].*$/s, '').split('/');
  const one = (segment: string) => (/^[\w.:-]*$/.test(segment) ? withoutKeys(segment) : CUT);
  return segments.map(one).join('/').slice(0, LONGEST);
}

const like = (shape: RegExp) => (text: string) => (shape.test(text) ? text : CUT);
const id = like(ID);
const word = like(WORD);
const trace = like(TRACE);
const counts = like(/^[\w\s{}():",.-]{0,300}$/);

/** Every name under which something may be logged, and what is left of a text there. All else is cut. */
const HARMLESS: Record<string, (text: string) => string> = {
  requestId: id,
  jobId: id,
  userId: id,
  postId: id,
  publicationId: id,
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
/** What else an error says that is not about anybody: its code and where it happened. */
const OF_ERRORS: Record<string, (text: string) => string> = {
  type: word,
  message: sentence,
  code: like(/^(?:[A-Z][A-Z\d_]{2,60}|[\dA-Z]{5}|[a-z][a-z_]{2,40})$/),
  syscall: word,
  errno: word,
  severity: word,
  table: word,
  constraint: word,
  routine: word,
  field: word,
};

type Names = Record<string, (text: string) => string>;

function cutValue(value: unknown, clean: ((text: string) => string) | undefined, depth: number): unknown {
  if (value === null || value === undefined) return value;
  if (value instanceof Error) return cutError(value, depth + 1);
  if (Array.isArray(value))
    return depth > DEEPEST ? CUT : value.slice(0, WIDEST).map((item) => cutValue(item, clean, depth + 1));
  if (typeof value === 'object' && !(value instanceof Date)) return cutObject(value, HARMLESS, depth + 1);
  if (!clean) return CUT;
  if (typeof value === 'string') return clean(value);
  return typeof value === 'number' || typeof value === 'boolean' || value instanceof Date ? value : CUT;
}

function cutObject(line: object, names: Names, depth: number): Record<string, unknown> | string {
  if (depth > DEEPEST) return CUT;
  const entries = Object.entries(line).slice(0, WIDEST);
  const cut = entries.map(([name, value]) => {
    const clean = Object.hasOwn(names, name) ? names[name] : undefined;
    return [clean || typeof value === 'object' ? name : sentence(name), cutValue(value, clean, depth)];
  });
  return Object.fromEntries(cut);
}

/** An error with its frames, which hold no values, and with what it was caused by. */
function cutError(error: Error, depth: number): Record<string, unknown> | string {
  const { name: type, message, stack: _stack, ...more } = error;
  const told = { type, message, ...more, ...(error.cause ? { cause: error.cause } : {}) };
  if (error instanceof AggregateError) Object.assign(told, { errors: error.errors });
  const cut = cutObject(told, { ...HARMLESS, ...OF_ERRORS }, depth);
  if (typeof cut === 'string') return cut;
  return { ...cut, stack: framesOf(error).slice(0, MOST_FRAMES).join('\n') };
}

const framesOf = ({ stack }: Error) => (stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));

/** What is left of an error, of what it was caused by and of what it holds. */
function wordsOf(cut: unknown): string[] {
  if (typeof cut !== 'object' || cut === null) return [String(cut)];
  const { type, message, code, constraint, cause, errors } = cut as Record<string, unknown>;
  const kind = /^(?:Aggregate)?error$/i.test(String(type)) ? '' : `${type}: `;
  const named = [code, constraint].filter(Boolean).join(', ');
  const behind = [cause, errors].flat().filter(Boolean);
  return [`${kind}${message}${named && ` (${named})`}`, ...behind.flatMap(wordsOf)];
}

/** For whoever keeps what an error says: one that says on one line what the log would write of it, and no more. */
export function loggedError(error: unknown): Error {
  const words = new Set(wordsOf(cutValue(error, undefined, 0)));
  const text = [...words].join('; ').slice(0, MOST_TOLD);
  // A database takes no U+0000.
  const told = new Error(text.replaceAll('\0', ' ').toWellFormed());
  told.stack = error instanceof Error ? framesOf(error).join('\n') : '';
  return told;
}

let instance: Logger | undefined;
let around = (): object => ({});

/** Every line from now on bears what `read` says of where it is written, unless it says so itself. */
export const setLogContext = (read: () => object): void => {
  around = read;
};

/**
 * The structured log of this process. Only what bears a name that is known as harmless, and looks like it, is written,
 * however deep it stands; texts lose what may be a secret, and stay on their line.
 */
export function logger(): Logger {
  instance ??= pino({
    level: env().LOG_LEVEL,
    base: undefined,
    mixin: () => ({ ...around() }),
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

/**
 * Ends this process at a fault that nobody waits for, with a line like every other one: what Node would print tells all. Whoever
 * keeps it running starts it anew.
 */
export function exitOnUncaughtException(): void {
  process.on('uncaughtException', (err) => {
    logger().fatal({ err }, 'ended by a fault that nobody waited for');
    process.exit(1);
  });
}
