/**
 * Lighthouse for the public pages, as on a phone: a quarter of this machine's speed, 150 ms and 1.6 Mbit/s. Its scores
 * simulate such a network; they are compared with loads over a really throttled one, as in felt.ts. `--list` prints the
 * failed audits of each page.
 */
import { chromium } from '@playwright/test';
import lighthouse, { type Flags, type Result } from 'lighthouse';
import { figure, ms, percentile, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { freePort } from '#scripts/start/ports.ts';
import { BROWSER_FLAGS, findBrowser } from '#tests/harness/e2e/chromium.ts';

const PAGES = process.env.BENCH_PAGE?.split(',') ?? ['/', '/login', '/signup', '/terms'];
const RUNS = Number(process.env.BENCH_RUNS || 3);
const LONGEST_RUN_MS = 15 * 60_000;
const KINDS = ['performance', 'accessibility', 'best-practices', 'seo'];

const LCP = 'largest-contentful-paint';
const CLS = 'cumulative-layout-shift';
const SLOW: Flags = {
  onlyAudits: [LCP, CLS],
  throttlingMethod: 'devtools',
  throttling: {
    cpuSlowdownMultiplier: 4,
    requestLatencyMs: 150,
    downloadThroughputKbps: 1_600,
    uploadThroughputKbps: 800,
  },
};

async function examine(address: string, port: number, flags: Flags): Promise<Result> {
  const result = await lighthouse(address, { port, logLevel: 'error', ...flags });
  if (!result) throw new Error(`Lighthouse says nothing of ${address}.`);
  const { lhr } = result;
  if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`);
  return lhr;
}

const scoreOf = (result: Result, kind: string) => Math.round((result.categories[kind]?.score ?? 0) * 100);
const numberOf = (result: Result, audit: string) => result.audits[audit]?.numericValue ?? Number.NaN;

function failedAudits(result: Result): string[] {
  return KINDS.flatMap((kind) =>
    result.categories[kind]!.auditRefs.flatMap(({ id, weight }) => {
      const { score = null, title: auditTitle, displayValue = '', details } = result.audits[id]!;
      if (!weight || score === null || score >= 1) return [];
      const items = (details as { items?: unknown[] } | undefined)?.items ?? [];
      return [`${kind}, ${score}: ${auditTitle} ${displayValue} ${JSON.stringify(items).slice(0, 300)}`];
    }),
  );
}

function print(page: string, results: Result[], slow: Result[]): void {
  const median = (runs: Result[], value: (result: Result) => number) => percentile(runs.map(value), 0.5);
  for (const kind of KINDS)
    figure(`${page}: ${kind}`, `${median(results, (result) => scoreOf(result, kind))}`);
  const lcp = (runs: Result[]) => ms(median(runs, (result) => numberOf(result, LCP)));
  figure(`${page}: largest part shown`, lcp(slow), `G5: at most 1.0 s; by the model ${lcp(results)}`);
  const cls = (runs: Result[]) => median(runs, (result) => numberOf(result, CLS)).toFixed(3);
  figure(`${page}: moved`, cls(slow), `G5: less than 0.02; by the model ${cls(results)}`);
  if (process.argv.includes('--list'))
    for (const fault of new Set(results.flatMap(failedAudits))) console.log(`    ${fault}`);
}

await measure(async (stops) => {
  const { app, startWeb } = await openProduct(stops);
  await startWeb();
  const { executablePath, env } = findBrowser();
  const all = { ...process.env, ...env } as Record<string, string>;
  const port = await freePort();
  const args = [...BROWSER_FLAGS, `--remote-debugging-port=${port}`];
  const browser = await chromium.launch({ executablePath, args, env: all });
  stops.push(() => browser.close());
  title(`Lighthouse, as on a phone, the middle of ${RUNS}`);
  for (const page of PAGES) {
    const results: Result[] = [];
    const slow: Result[] = [];
    for (let run = 0; run < RUNS; run += 1) {
      results.push(await examine(app + page, port, { onlyCategories: KINDS }));
      slow.push(await examine(app + page, port, SLOW));
    }
    print(page, results, slow);
  }
}, LONGEST_RUN_MS);
