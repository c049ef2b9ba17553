/**
 * What Lighthouse says of the pages a visitor sees, as on a phone: a quarter of this machine's speed, 150 ms and
 * 1.6 Mbit/s. Its scores come of a model of such a line; beside them what is shown when the line really is so slow, as in
 * felt.ts. `--list` names what costs a page its points.
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
  const ran = await lighthouse(address, { port, logLevel: 'error', ...flags });
  if (!ran) throw new Error(`Lighthouse says nothing of ${address}.`);
  const { lhr } = ran;
  if (lhr.runtimeError) throw new Error(`${address}: ${lhr.runtimeError.message}`);
  return lhr;
}

const scoreOf = (result: Result, kind: string) => Math.round((result.categories[kind]?.score ?? 0) * 100);
const numberOf = (result: Result, audit: string) => result.audits[audit]?.numericValue ?? Number.NaN;

/** What a page lost points by. */
function faults(result: Result): string[] {
  return KINDS.flatMap((kind) =>
    result.categories[kind]!.auditRefs.flatMap(({ id, weight }) => {
      const { score = null, title: said, displayValue = '', details } = result.audits[id]!;
      if (!weight || score === null || score >= 1) return [];
      const items = (details as { items?: unknown[] } | undefined)?.items ?? [];
      return [`${kind}, ${score}: ${said} ${displayValue} ${JSON.stringify(items).slice(0, 300)}`];
    }),
  );
}

function print(page: string, results: Result[], slow: Result[]): void {
  const middle = (of: Result[], value: (result: Result) => number) => percentile(of.map(value), 0.5);
  for (const kind of KINDS)
    figure(`${page}: ${kind}`, `${middle(results, (result) => scoreOf(result, kind))}`);
  const shown = (of: Result[]) => ms(middle(of, (result) => numberOf(result, LCP)));
  figure(`${page}: largest part shown`, shown(slow), `G5: at most 1.0 s; by the model ${shown(results)}`);
  const moved = (of: Result[]) => middle(of, (result) => numberOf(result, CLS)).toFixed(3);
  figure(`${page}: moved`, moved(slow), `G5: less than 0.02; by the model ${moved(results)}`);
  if (process.argv.includes('--list'))
    for (const fault of new Set(results.flatMap(faults))) console.log(`    ${fault}`);
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
