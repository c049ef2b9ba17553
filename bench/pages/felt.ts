/**
 * What a person with a slow phone waits for: when the dashboard shows its largest part, what moves, how long scripts
 * block, and how long the pages of 150 posts take to answer a finger or a key. Chromium with a quarter of this machine's
 * speed; what loads has a slow network, too. Beside the dashboard a static copy of it: its HTML without scripts.
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { type Browser, type BrowserContext, chromium, type Page } from '@playwright/test';
import { addMonth, addPeople, addWaiting, cookieOf, MONTH_PAGE, settle } from '#bench/data/people.ts';
import { figure, ms, number, percentile, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { ROOT } from '#scripts/run.ts';
import { freePort } from '#scripts/start/ports.ts';
import { BROWSER_FLAGS, findBrowser, USER_AGENT } from '#tests/harness/e2e/chromium.ts';

const POSTS = 150;
const LOADS = 5;
const PRESSES = 40;
const MOVES = 12;
/** Of so few keys the 98th percentile would be the slowest one. */
const MOVED_TIMES = 3;
const CPU_SLOWDOWN = 4;
const BITS = 1_600_000 / 8;
const NETWORK = { offline: false, latency: 150, downloadThroughput: BITS, uploadThroughput: BITS / 2 };
const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, isMobile: true, hasTouch: true };
const TYPES: Record<string, string> = { css: 'text/css', js: 'text/javascript', woff2: 'font/woff2' };

/** What the page notes about itself, from its first moment on. */
const WATCH = `
  window.felt = { lcp: 0, cls: 0, tbt: 0, interactions: {} };
  const watch = (type, note, more) =>
    new PerformanceObserver((list) => list.getEntries().forEach(note)).observe({ type, buffered: true, ...more });
  watch('largest-contentful-paint', (entry) => { felt.lcp = entry.startTime; });
  watch('layout-shift', (entry) => { if (!entry.hadRecentInput) felt.cls += entry.value; });
  watch('longtask', (entry) => { felt.tbt += Math.max(0, entry.duration - 50); });
  watch('event', (entry) => {
    const { interactionId, duration, startTime, processingStart, processingEnd } = entry;
    if (!interactionId || duration <= (felt.interactions[interactionId]?.took ?? 0)) return;
    felt.interactions[interactionId] = {
      took: duration,
      waited: processingStart - startTime,
      worked: processingEnd - processingStart,
    };
  }, { durationThreshold: 16 });
`;

/** How long an answer took until it was shown; how long it waited before, and what our listeners needed of it. */
type Answer = { took: number; waited: number; worked: number };
type Felt = { lcp: number; cls: number; tbt: number; interactions: Record<string, Answer> };
/** What took less than this is not told one by one. */
const TOLD_FROM_MS = 16;
const feltOn = (page: Page) => page.evaluate<Felt>('window.felt');

async function open(context: BrowserContext, address: string, isNetworkSlow: boolean): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(WATCH);
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN });
  if (isNetworkSlow) {
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', NETWORK);
  }
  const answer = await page.goto(address, { waitUntil: 'networkidle' });
  if (answer?.status() !== 200) throw new Error(`${address} answered ${answer?.status()}.`);
  return page;
}

/** Each load in a context of its own, whose cache is empty. */
async function newVisitor(browser: Browser, app: string, cookie: string): Promise<BrowserContext> {
  const context = await browser.newContext({ userAgent: USER_AGENT, ...PHONE });
  const [name = ''] = cookie.split('=', 1);
  await context.addCookies([{ name, value: cookie.slice(name.length + 1), url: app }]);
  return context;
}

/** A server of one page without its scripts, and of the files that it needs. */
async function serveCopy(html: string, stops: (() => Promise<void>)[]): Promise<string> {
  const still = html.replaceAll(/<script\b[\s\S]*?<\/script>|<link rel="modulepreload"[^>]*>/g, '');
  const page = gzipSync(still, { level: 1 });
  const client = path.join(ROOT, 'build/client');
  const server = createServer((request, response) => {
    if (request.url === '/') {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8', 'Content-Encoding': 'gzip' });
      return response.end(page);
    }
    const file = path.join(client, path.normalize(request.url!.split('?')[0]!));
    const type = TYPES[path.extname(file).slice(1)];
    if (!file.startsWith(client) || !type || !existsSync(file)) return response.writeHead(404).end();
    const isText = type.startsWith('text/');
    response.writeHead(200, { 'Content-Type': type, ...(isText ? { 'Content-Encoding': 'gzip' } : {}) });
    const body = readFileSync(file);
    return response.end(isText ? gzipSync(body) : body);
  });
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  stops.push(() => new Promise((resolve) => server.close(() => resolve())));
  return `http://127.0.0.1:${port}/`;
}

async function loads(visit: () => Promise<BrowserContext>, address: string): Promise<Felt[]> {
  const felt: Felt[] = [];
  for (let load = 0; load < LOADS; load += 1) {
    const context = await visit();
    felt.push(await feltOn(await open(context, address, true)));
    await context.close();
  }
  return felt;
}

/** What answers a press on the page itself: a menu, a fold, a dialog. Links and what sends something are left alone. */
const PRESSABLE =
  'main summary, main button[type="button"], main [aria-haspopup], main li a[href*="?"], main input';

/** Presses one after the other all over the page, types, and closes what has opened. */
async function pressAround(page: Page) {
  const { pathname } = new URL(page.url());
  const all = await page.locator(PRESSABLE).count();
  const count = Math.min(PRESSES, all);
  for (let n = 0; n < count; n += 1) {
    const target = page.locator(PRESSABLE).nth(Math.floor((n * all) / count));
    await target.click({ timeout: 2_000, force: true }).catch(() => {});
    const field = page.locator('dialog[open] textarea, dialog[open] input[type="text"]').first();
    if (await field.isVisible()) await field.pressSequentially(' plan', { timeout: 2_000 }).catch(() => {});
    await page.keyboard.press('Escape');
    await page.keyboard.press('Tab');
    if (new URL(page.url()).pathname !== pathname) await page.goBack().catch(() => {});
  }
  return answersOn(page);
}

/** Takes posts of the calendar with a key, moves them on and puts them down. */
async function moveAround(page: Page) {
  const posts = page.locator('#calendar .cal-entry:has(> .cal-move) > .cal-link');
  const all = await posts.count();
  const status = page.getByRole('status', { name: 'Moving a post' });
  // The script of the calendar is fetched when the mouse first moves, which no script notices before it has loaded.
  for (let tries = 0; tries < 100 && (await status.count()) === 0; tries += 1) {
    await page.mouse.move(9 + tries, 9);
    await status.waitFor({ state: 'attached', timeout: 300 }).catch(() => {});
  }
  const count = Math.min(MOVES, all);
  for (let n = 0; n < count; n += 1) {
    await posts.nth(Math.floor((n * all) / count)).focus();
    const anew = page.waitForResponse((answer) => answer.url().includes('/app/scheduled.data'));
    for (const key of ['Space', 'ArrowRight', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    await anew;
  }
  return answersOn(page);
}

type Answers = { told: Answer[]; inAll: number };

async function answersOn(page: Page): Promise<Answers> {
  const told = Object.values((await feltOn(page)).interactions);
  return { told, inAll: await page.evaluate<number>('performance.interactionCount') };
}

function tellAnswers(name: string, pages: Answers[]): void {
  const told = pages.flatMap((page) => page.told).sort((a, b) => b.took - a.took);
  const inAll = pages.reduce((sum, page) => sum + page.inAll, 0);
  if (inAll === 0) throw new Error(`${name} has answered nothing: what was pressed has led away from it.`);
  const quick = Array<number>(Math.max(0, inAll - told.length)).fill(TOLD_FROM_MS);
  const took = [...told.map((answer) => answer.took), ...quick];
  const { waited, worked } = told[0] ?? { waited: 0, worked: 0 };
  const [longest, p98] = [Math.max(...took), percentile(took, 0.98)].map(ms);
  figure(
    name,
    `p98 ${p98}, longest ${longest}`,
    `G6: p98 at most 120 ms; ${told.length} of ${inAll} took ${TOLD_FROM_MS} ms or more; the longest waited ${ms(waited)} and worked ${ms(worked)}`,
  );
}

await measure(async (stops) => {
  const { app, db, startWeb } = await openProduct(stops);
  const [user, planner] = (await addPeople(db, 2)) as [string, string];
  await addWaiting(db, user, POSTS);
  await addMonth(db, planner, POSTS);
  await settle(db);
  await startWeb();
  const [cookie, plannersCookie] = [await cookieOf(db, user), await cookieOf(db, planner)];
  const { executablePath, env } = findBrowser();
  const all = { ...process.env, ...env } as Record<string, string>;
  const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS, env: all });
  stops.push(() => browser.close());
  const visit = () => newVisitor(browser, app, cookie);
  const plan = () => newVisitor(browser, app, plannersCookie);
  const dashboard = `${app}/app/dashboard`;
  const html = await (await fetch(dashboard, { headers: { cookie } })).text();
  const copy = await serveCopy(html, stops);

  title(
    `First load of the dashboard, processor ${CPU_SLOWDOWN} times slower, 150 ms and 1.6 Mbit/s, ${LOADS} times`,
  );
  const [page, still] = [await loads(visit, dashboard), await loads(visit, copy)];
  const middle = (felt: Felt[], of: 'lcp' | 'cls' | 'tbt') =>
    percentile(
      felt.map((one) => one[of]),
      0.5,
    );
  const [lcp, copied] = [middle(page, 'lcp'), middle(still, 'lcp')];
  figure(
    'largest part shown',
    ms(lcp),
    `G5: at most 1.2 s; static copy ${ms(copied)}, ${number(lcp / copied)} times`,
  );
  figure(
    'blocked by scripts',
    ms(middle(page, 'tbt')),
    `G5: at most 200 ms; static copy ${ms(middle(still, 'tbt'))}`,
  );
  figure(
    'moved',
    middle(page, 'cls').toFixed(3),
    `G5: less than 0.02; static copy ${middle(still, 'cls').toFixed(3)}`,
  );

  title(`Answers to fingers and keys with ${POSTS} posts, processor ${CPU_SLOWDOWN} times slower`);
  for (const [address, enter] of [
    ['/app/scheduled?limit=100', visit],
    [MONTH_PAGE, plan],
  ] as const) {
    const context = await enter();
    tellAnswers(address, [await pressAround(await open(context, app + address, false))]);
    await context.close();
  }
  const moved: Answers[] = [];
  for (let time = 0; time < MOVED_TIMES; time += 1) {
    const context = await plan();
    moved.push(await moveAround(await open(context, app + MONTH_PAGE, false)));
    await context.close();
  }
  tellAnswers('posts moved in the month', moved);
});
