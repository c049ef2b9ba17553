import pino, { type Logger } from 'pino';
import { env } from '#app/env.ts';

const SECRET = /^(?:code|otp|email)$|password|token|authorization|cookie|secret/i;
const DEEPEST = 8;

/** A copy in which what bears the name of a secret is cut, however deep it stands. */
function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth > DEEPEST) return '[Deep]';
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  const plain = value instanceof Error ? pino.stdSerializers.err(value) : value;
  const cut = ([name, held]: [string, unknown]) => [
    name,
    SECRET.test(name) ? '[Redacted]' : redact(held, depth + 1),
  ];
  return Object.fromEntries(Object.entries(plain).map(cut));
}

let instance: Logger | undefined;

/** The structured log of this process. Secrets are cut by name, whatever object they arrive in. */
export function logger(): Logger {
  instance ??= pino({
    level: env().LOG_LEVEL,
    base: undefined,
    formatters: { log: (line) => redact(line) as Record<string, unknown> },
  });
  return instance;
}
