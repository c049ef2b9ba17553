import { z } from 'zod';
import { emitEvent } from '#app/domain/platform/events.ts';
import { env } from '#app/env.ts';

/** The endpoint of CSP reports, and its name in Reporting-Endpoints. */
export const CSP_REPORTS_PATH = '/csp-reports';
export const CSP_REPORTS_NAME = 'csp';
export const REPORT_BYTES_MAX = 10_000;

const OLD_TYPE = 'application/csp-report';
const NEW_TYPE = 'application/reports+json';

const REPORTS_MAX = 20;
const LOG_EVERY_MS = 3_600_000;
/** How many kinds of reports are counted separately. All further ones count as one. */
const KINDS_MAX = 200;

const text = z.string().catch('');
const OldReport = z.object({
  'csp-report': z.object({
    'effective-directive': text,
    'violated-directive': text,
    'blocked-uri': text,
    'document-uri': text,
  }),
});
const NewReport = z.object({
  type: z.literal('csp-violation'),
  body: z.object({ effectiveDirective: text, blockedURL: text, documentURL: text }),
});

export type CspReport = { directive: string; blocked: string; page: string };

const OTHER = 'other';
const keywordOf = (text: string) => /^[a-z][a-z-]{1,39}$/.exec(text.trim().split(' ')[0]!)?.[0] ?? OTHER;

/** A keyword such as `inline`, or only the host of a URL. */
function blockedOf(uri: string): string {
  if (!URL.canParse(uri)) return keywordOf(uri);
  const { protocol, host } = new URL(uri);
  return /^[\w.:-]{1,100}$/.test(host) ? host : keywordOf(protocol.slice(0, -1));
}

/** The path of one of our pages, with `:id` for each id. */
function pageOf(uri: string): string {
  if (!URL.canParse(uri) || new URL(uri).host !== new URL(env().APP_URL).host) return OTHER;
  const segments = new URL(uri).pathname.split('/').slice(0, 6);
  return segments.map((segment) => (/^[a-z-]{0,30}$/.test(segment) ? segment : ':id')).join('/');
}

const sanitize = (directive: string, blocked: string, page: string): CspReport => ({
  directive: keywordOf(directive),
  blocked: blockedOf(blocked),
  page: pageOf(page),
});

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}

function readOld(body: unknown): CspReport[] {
  const { data } = OldReport.safeParse(body);
  if (!data) return [];
  const report = data['csp-report'];
  const directive = report['effective-directive'] || report['violated-directive'];
  return [sanitize(directive, report['blocked-uri'], report['document-uri'])];
}

function readNew(body: unknown): CspReport[] {
  return (Array.isArray(body) ? body : [body]).slice(0, REPORTS_MAX).flatMap((each) => {
    const { data } = NewReport.safeParse(each);
    return data ? [sanitize(data.body.effectiveDirective, data.body.blockedURL, data.body.documentURL)] : [];
  });
}

/** Parses the body of a report. Returns undefined for another content type. */
export function readReports(contentType: string | null, body: string): CspReport[] | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === OLD_TYPE) return readOld(parseJson(body));
  return type === NEW_TYPE ? readNew(parseJson(body)) : undefined;
}

const kinds = new Map<string, { loggedAt: number; times: number }>();

/** Logs each kind of report once an hour, with how often it came since. */
export function logReports(reports: CspReport[], now = Date.now()): void {
  for (const report of reports) {
    const key = JSON.stringify(report);
    const isKnown = kinds.has(key) || kinds.size < KINDS_MAX;
    const { directive, blocked, page } = isKnown ? report : { directive: OTHER, blocked: OTHER, page: OTHER };
    const name = isKnown ? key : OTHER;
    const kind = kinds.get(name);
    const times = (kind?.times ?? 0) + 1;
    if (kind && now - kind.loggedAt < LOG_EVERY_MS) {
      kind.times = times;
      continue;
    }
    for (const [old, { loggedAt }] of kinds) if (now - loggedAt >= 2 * LOG_EVERY_MS) kinds.delete(old);
    kinds.set(name, { loggedAt: now, times: 0 });
    emitEvent('csp_report', { directive, blocked, page, times });
  }
}
