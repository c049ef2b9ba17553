import { z } from 'zod';

/** The defaults in development: the ports that `npm start` prefers. */
const LOCAL = {
  database: 'postgres://tidepost:tidepost@127.0.0.1:54320/tidepost',
  outside: 'http://127.0.0.1:4400',
  // The sandbox has a self-signed certificate.
  smtp: 'smtp://127.0.0.1:4425?tls.rejectUnauthorized=false',
  secretKey: `local:${Buffer.from('tidepost-local-development-key-1').toString('base64')}`,
};

const KNOWN_TO_ALL = LOCAL.secretKey.slice('local:'.length);

const UNREADABLE_ADDRESS =
  'is no address that can be read; signs in a user or a password are written as %2F for /, %23 for # and %25 for %';

function isParsable(value: string): boolean {
  try {
    const { username, password, pathname } = new URL(value);
    decodeURIComponent(`${username}:${password}@${pathname}`);
    return true;
  } catch {
    return false;
  }
}

const url = (schemes: string[]) =>
  z.string().refine((value) => isParsable(value) && schemes.includes(new URL(value).protocol), {
    error: ({ input }) =>
      schemes.some((scheme) => String(input).startsWith(`${scheme}//`))
        ? UNREADABLE_ADDRESS
        : `must be an address that starts with ${schemes.map((s) => `${s}//`).join(' or ')}`,
  });
export const databaseAddress = url(['postgres:', 'postgresql:']);
const http = url(['http:', 'https:']).transform((value) => value.replace(/\/+$/, ''));
const wholeNumber = (min: number, max: number) =>
  z
    .string()
    .regex(/^\d+$/, 'must be a whole number')
    .transform(Number)
    .refine((n) => n >= min && n <= max, `must be between ${min} and ${max}`);
const flag = z
  .enum(['0', '1'], { error: 'must be 0 or 1' })
  .default('0')
  .transform((v) => v === '1');

const secretKeys = z.string().transform((value, ctx) => {
  const keys = value.split(',').map((part) => {
    const at = part.indexOf(':');
    return { id: part.slice(0, at).trim(), key: Buffer.from(part.slice(at + 1), 'base64') };
  });
  for (const { id, key } of keys) {
    if (!/^[a-z0-9_-]{1,20}$/i.test(id) || key.length !== 32) {
      ctx.addIssue({
        code: 'custom',
        message: 'must be a comma-separated list of id:BASE64, each key 32 bytes long',
      });
      return z.NEVER;
    }
  }
  return keys;
});

const oneOf = <const Values extends readonly [string, ...string[]]>(values: Values) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` });

const hours = z
  .string()
  .regex(/^\d+(\.\d+)?$/, 'must be a number of hours')
  .transform(Number);
const dollars = z
  .string()
  .regex(/^\d{1,6}(\.\d{1,6})?$/, 'must be an amount of US dollars such as 0.25')
  .transform(Number);

/** Parses "USD:50,INR:4000" into minor units by currency. */
const amounts = z.string().transform((value, ctx) => {
  const byCurrency = new Map<string, number>();
  for (const part of value ? value.split(',').map((text) => text.trim()) : []) {
    const match = /^([A-Z]{3}):(\d{1,9})(?:\.(\d{2}))?$/.exec(part);
    if (!match || byCurrency.has(match[1]!)) {
      ctx.addIssue({ code: 'custom', message: 'must be amounts by currency such as USD:50,INR:4000.50' });
      return z.NEVER;
    }
    byCurrency.set(match[1]!, Number(`${match[2]}${match[3] ?? '00'}`));
  }
  return byCurrency;
});

function schema(local: boolean) {
  const or = (value: string) => (local ? z.string().default(value) : z.string({ error: 'is missing' }));
  const optional = (value: string) => (local ? z.string().default(value) : z.string().optional());
  const remote = (localPath: string, production: string) =>
    z
      .string()
      .default(local ? `${LOCAL.outside}${localPath}` : production)
      .pipe(http);
  const all = z.object({
    DATA_DIR: z.string().default('.data/worker'),
    NODE_ENV: oneOf(['development', 'production', 'test']).default('development'),
    SANDBOX: flag,
    DATABASE_URL: or(LOCAL.database).pipe(databaseAddress),
    DATABASE_OWNER_URL: z.string().pipe(databaseAddress).optional(),
    DATABASE_WORKER_URL: z.string().pipe(databaseAddress).optional(),
    DATABASE_READ_URL: z.string().pipe(databaseAddress).optional(),
    APP_URL: or('http://127.0.0.1:3000').pipe(http),
    PORT: z.string().default('3000').pipe(wholeNumber(1, 65535)),
    SECRET_KEYS: or(LOCAL.secretKey)
      .refine((value) => local || !value.includes(KNOWN_TO_ALL), 'has the key that stands in this repository')
      .pipe(secretKeys),
    LINKEDIN_CLIENT_ID: or('tidepost-local'),
    LINKEDIN_CLIENT_SECRET: or('tidepost-local-secret'),
    LINKEDIN_AUTH_URL: remote('/linkedin', 'https://www.linkedin.com'),
    LINKEDIN_API_URL: remote('/linkedin-api', 'https://api.linkedin.com'),
    LINKEDIN_VERSIONS: z
      .string()
      .default('202608,202607,202606')
      .transform((value) => value.split(',').map((v) => v.trim()))
      .refine((list) => list.every((v) => /^20\d{4}$/.test(v)), 'must be a list of versions such as 202608'),
    LINKEDIN_POSTS_A_DAY: z.string().pipe(wholeNumber(1, 1e9)).optional(),
    GOOGLE_CLIENT_ID: optional('tidepost-local'),
    GOOGLE_CLIENT_SECRET: optional('tidepost-local-secret'),
    GOOGLE_ISSUER_URL: remote('/google', 'https://accounts.google.com'),
    OPENAI_API_KEY: or('sk-local'),
    OPENAI_BASE_URL: remote('/openai/v1', 'https://api.openai.com/v1'),
    OPENAI_MODEL: z.string().default('gpt-5-mini'),
    WRITER_CALLS_A_DAY: z.string().default('20000').pipe(wholeNumber(1, 1e9)),
    WRITER_TOKENS_A_DAY: z.string().default('100000000').pipe(wholeNumber(1, 1e12)),
    WRITER_INPUT_PRICE: dollars.optional(),
    WRITER_OUTPUT_PRICE: dollars.optional(),
    WRITER_PASSES: z.string().default('2').pipe(wholeNumber(1, 2)),
    VISITS_A_DAY: z.string().default('500000').pipe(wholeNumber(0, 1e9)),
    OPENAI_API_VERSION: z.string().optional(),
    OPENAI_STRUCTURED: oneOf(['auto', 'schema', 'json', 'off']).default('auto'),
    OPENAI_REASONING_EFFORT: oneOf(['off', 'none', 'minimal', 'low', 'medium', 'high', 'xhigh']).default(
      'low',
    ),
    OPENAI_TIMEOUT: z.string().default('60').pipe(wholeNumber(1, 140)),
    SMTP_URL: or(LOCAL.smtp).pipe(url(['smtp:', 'smtps:'])),
    MAIL_FROM: or('Tidepost <hello@tidepost.example>'),
    SUPPORT_EMAIL: or('support@tidepost.example').pipe(z.email('must be an e-mail address')),
    UPI_ID: optional('tidepost@examplebank'),
    UPI_NAME: optional('Tidepost'),
    PAYPAL_EMAIL: optional('payments@tidepost.example'),
    SELLER_NAME: z.string().max(200, 'is longer than 200 characters').optional(),
    SELLER_ADDRESS: z.string().max(500, 'is longer than 500 characters').optional(),
    SELLER_TAX_ID: z.string().max(100, 'is longer than 100 characters').optional(),
    PROMO_PERCENT: z.string().default('50').pipe(wholeNumber(0, 100)),
    PAYMENT_FOUR_EYES: z.string().default('').pipe(amounts),
    LATE_GRACE: z.string().default('3').pipe(hours),
    LATE_SPACING: z.string().default('15').pipe(wholeNumber(0, 60)),
    WORKER_CONCURRENCY: z.string().default('48').pipe(wholeNumber(1, 500)),
    METRICS_TOKEN: z.string().min(16, 'is shorter than 16 characters').optional(),
    METRICS_PORT: z.string().pipe(wholeNumber(1, 65535)).optional(),
    METRICS_BIND: oneOf(['loopback', 'all']).default('loopback'),
    LOG_LEVEL: oneOf(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
    TRUST_PROXY: oneOf(['none', 'fly', 'x-forwarded-for']).default('none'),
    GEOIP_DB: z.string().optional(),
    ALLOW_PRIVATE_IMAGES: local ? flag : flag.refine((is) => !is, 'is for tests alone'),
    REQUIRE_ADMIN_TWO_STEP: z.preprocess((value) => value ?? (local ? '0' : '1'), flag),
  });
  return all.refine(
    ({ METRICS_PORT, METRICS_TOKEN }) => METRICS_PORT === undefined || METRICS_TOKEN !== undefined,
    { path: ['METRICS_PORT'], error: 'needs METRICS_TOKEN' },
  );
}

export type Env = z.infer<ReturnType<typeof schema>>;

/**
 * Parses the configuration. Empty strings count as not set. In production without SANDBOX=1 there are no local defaults.
 * Throws an Error whose message has one sentence for each fault.
 */
export function parseEnv(source: Record<string, string | undefined>): Env {
  const set = Object.fromEntries(Object.entries(source).filter(([, value]) => value !== ''));
  const local = set.NODE_ENV !== 'production' || set.SANDBOX === '1';
  const result = schema(local).safeParse(set);
  if (result.success) return result.data;
  const faults = result.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}.`);
  throw new Error(
    `The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}:\n${faults.join('\n')}`,
  );
}

let parsed: Env | undefined;

/** The configuration of this process, parsed at the first call. Nothing else reads process.env. */
export function env(): Env {
  parsed ??= parseEnv(process.env);
  return parsed;
}

/** Like `env`, but for a program at startup: prints the faults and exits. */
export function envOrExit(): Env {
  try {
    return env();
  } catch (error) {
    process.stderr.write(`${(error as Error).message}\n`);
    process.exit(1);
  }
}
