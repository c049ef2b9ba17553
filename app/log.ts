import pino, { type Logger } from 'pino';
import { env } from '#app/env.ts';

let instance: Logger | undefined;

/** The structured log of this process. Secrets are cut by name, whatever object they arrive in. */
export function logger(): Logger {
  instance ??= pino({
    level: env().LOG_LEVEL,
    base: undefined,
    redact: ['password', 'token', 'code', 'authorization', 'cookie'].flatMap((key) => [key, `*.${key}`]),
  });
  return instance;
}
