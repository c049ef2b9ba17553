import { z } from 'zod';
import { emitEvent } from '#app/domain/platform/events.ts';
import { env } from '#app/env.ts';

/** Where browsers report what a page's policy has kept out, and what the policy calls that place. */
export const CSP_REPORTS_PATH = '/csp-reports';
export const CSP_REPORTS_NAME = 'csp';
export const REPORT_BYTES_MAX = 10_000;

/** How it is sent: by browsers that know `report-uri` alone, and by those that know `report-to`. */
const OLD_TYPE = 'application/csp-report';
const NEW_TYPE = 'application/reports+json';

const MOST_IN_ONE = 20;
const AGAIN_MS = 3_600_000;
/** So many different ones are told apart; all others are one. */
const MOST_KINDS = 200;

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
const wordOf = (said: string) => /^[a-z][a-z-]{1,39}$/.exec(said.trim().split(' ')[0]!)?.[0] ?? OTHER;

/** What was kept out: a word such as `inline`, or the host alone, whatever else its address says. */
function blockedOf(said: string): string {
  if (!URL.canParse(said)) return wordOf(said);
  const { protocol, host } = new URL(said);
  return /^[\w.:-]{1,100}$/.test(host) ? host : wordOf(protocol.slice(0, -1));
}

/** The path of a page of ours. Ids in it are left out: a report is about a kind of page. */
function pageOf(said: string): string {
  if (!URL.canParse(said) || new URL(said).host !== new URL(env().APP_URL).host) return OTHER;
  const segments = new URL(said).pathname.split('/').slice(0, 6);
  return segments.map((segment) => (/^[a-z-]{0,30}$/.test(segment) ? segment : ':id')).join('/');
}

const cleaned = (directive: string, blocked: string, page: string): CspReport => ({
  directive: wordOf(directive),
  blocked: blockedOf(blocked),
  page: pageOf(page),
});

function parsed(body: string): unknown {
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
  return [cleaned(directive, report['blocked-uri'], report['document-uri'])];
}

function readNew(body: unknown): CspReport[] {
  return (Array.isArray(body) ? body : [body]).slice(0, MOST_IN_ONE).flatMap((each) => {
    const { data } = NewReport.safeParse(each);
    return data ? [cleaned(data.body.effectiveDirective, data.body.blockedURL, data.body.documentURL)] : [];
  });
}

/** What such a body reports; undefined when it is of no type that browsers report in. */
export function readReports(contentType: string | null, body: string): CspReport[] | undefined {
  const type = contentType?.split(';')[0]?.trim().toLowerCase();
  if (type === OLD_TYPE) return readOld(parsed(body));
  return type === NEW_TYPE ? readNew(parsed(body)) : undefined;
}

const seen = new Map<string, { toldAt: number; times: number }>();

/** Tells of each kind of report once an hour, with how often it came since. */
export function logReports(reports: CspReport[], now = Date.now()): void {
  for (const report of reports) {
    const key = JSON.stringify(report);
    const isKnown = seen.has(key) || seen.size < MOST_KINDS;
    const { directive, blocked, page } = isKnown ? report : { directive: OTHER, blocked: OTHER, page: OTHER };
    const name = isKnown ? key : OTHER;
    const before = seen.get(name);
    const times = (before?.times ?? 0) + 1;
    if (before && now - before.toldAt < AGAIN_MS) {
      before.times = times;
      continue;
    }
    dropOld(now);
    seen.set(name, { toldAt: now, times: 0 });
    emitEvent('csp_report', { directive, blocked, page, times });
  }
}

function dropOld(now: number): void {
  for (const [name, { toldAt }] of seen) if (now - toldAt >= 2 * AGAIN_MS) seen.delete(name);
}
