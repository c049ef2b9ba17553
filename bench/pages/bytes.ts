/**
 * The compressed size of the first load of a page, in a browser with an empty cache, until the network is idle.
 * `npm run build` checks the gzip size of the same files.
 */
import { type Browser, chromium, type Page } from '@playwright/test';
import { addPosts, addUsers, cookieOf } from '#bench/data/users.ts';
import { figure, kilobytes, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';
import { BROWSER_FLAGS, findBrowser, USER_AGENT } from '#tests/harness/e2e/chromium.ts';

type Cost = { kind: string; body: number; address: string };

const KINDS: [RegExp, string][] = [
  [/javascript/, 'scripts'],
  [/css/, 'styles'],
  [/font|woff/, 'fonts'],
  [/html/, 'document'],
];

async function firstLoad(browser: Browser, address: string, cookie?: string): Promise<Cost[]> {
  const context = await browser.newContext({ userAgent: USER_AGENT });
  const [name, value] = cookie?.split('=', 2) ?? [];
  if (name && value)
    await context.addCookies([{ name, value: cookie!.slice(name.length + 1), url: address }]);
  const page = await context.newPage();
  const costs = record(page);
  const response = await page.goto(address, { waitUntil: 'networkidle' });
  if (response?.status() !== 200 || page.url() !== address) {
    throw new Error(`${address} answered ${response?.status()} at ${page.url()}.`);
  }
  const result = await Promise.all(costs);
  await context.close();
  return result;
}

function record(page: Page): Promise<Cost>[] {
  const costs: Promise<Cost>[] = [];
  page.on('requestfinished', (request) => {
    const measureRequest = async () => {
      const [sizes, response] = [await request.sizes(), await request.response()];
      const type = response?.headers()['content-type'] ?? '';
      const kind = KINDS.find(([pattern]) => pattern.test(type))?.[1] ?? 'other';
      return { kind, body: sizes.responseBodySize, address: request.url() };
    };
    costs.push(measureRequest());
  });
  return costs;
}

/** Goal G4. */
const DASHBOARD = '155 KB in 16';
const LANDING = '6 KB';

function print(name: string, costs: Cost[], scripts: string) {
  const of = (kind: string) => costs.filter((cost) => cost.kind === kind);
  const sum = (list: Cost[]) => kilobytes(list.reduce((total, { body }) => total + body, 0));
  const count = (list: Cost[]) => `${sum(list)} in ${list.length}`;
  const addresses = new Set(costs.map(({ address }) => address));
  const duplicates = costs.length - addresses.size;
  figure(`${name}: scripts`, count(of('scripts')), `G4: at most ${scripts}`);
  figure(`${name}: styles`, count(of('styles')), 'G4: at most 14 KB');
  figure(
    `${name}: requests`,
    `${costs.length}, ${sum(costs)} in all`,
    `fonts ${count(of('fonts'))}, document ${sum(of('document'))}, other ${count(of('other'))}` +
      `${duplicates ? `, ${duplicates} asked twice` : ''}`,
  );
  if (process.argv.includes('--list')) {
    for (const { kind, body, address } of costs) console.log(`    ${kind.padEnd(9)} ${body} ${address}`);
  }
}

await measure(async (stops) => {
  const { app, db, startWeb } = await openProduct(stops);
  const [user] = (await addUsers(db, 1)) as [string];
  await addPosts(db, [user], 100);
  await startWeb();
  const { executablePath, env } = findBrowser();
  const all = { ...process.env, ...env } as Record<string, string>;
  const browser = await chromium.launch({ executablePath, args: BROWSER_FLAGS, env: all });
  stops.push(() => browser.close());

  title('First load in a browser with an empty cache, bytes of the bodies on the wire');
  const page = process.env.BENCH_PAGE;
  const cookie = await cookieOf(db, user);
  if (page) print(page, await firstLoad(browser, app + page, cookie), DASHBOARD);
  else print('dashboard', await firstLoad(browser, `${app}/app/dashboard`, cookie), DASHBOARD);
  print('landing', await firstLoad(browser, `${app}/`), LANDING);
});
