import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { ACCOUNT_MAIL_RETENTION_DAYS, MAIL_RETENTION_DAYS } from '#app/domain/email/limits.ts';
import { TICKET_RETENTION_DAYS } from '#app/domain/support/limits.ts';
import { TRUSTED_BROWSER_DAYS } from '#app/http/limits.ts';
import { BEACON } from '#app/http/telemetry/visit-beacon.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { startWeb } from '#tests/harness/web.ts';

const PAGES = ['/', '/signup', '/login', '/help', '/api/docs', '/terms', '/privacy', '/imprint'];
const KNOWN_AS = 'https://tidepost.example';

let database: TestDatabase;
let url: string;

before(async () => {
  database = await testDatabase();
  const seller = { SELLER_NAME: 'Harbour & Sons <Ltd>', SELLER_ADDRESS: '1 Pier Road; 20457 Hamburg' };
  const env = {
    APP_URL: KNOWN_AS,
    SELLER_TAX_ID: 'DE 123',
    SUPPORT_EMAIL: 'help@tidepost.example',
    ...seller,
  };
  ({ url } = await startWeb({ databaseUrl: database.url, env }));
});

async function read(path: string, languages?: string) {
  const headers: Record<string, string> = languages ? { 'Accept-Language': languages } : {};
  const answer = await fetch(url + path, { headers, redirect: 'manual' });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const content = (page: string, name: string) =>
  new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(page)?.[1];

const linkedData = (page: string) =>
  [...page.matchAll(/<script type="application\/ld\+json">(.*?)<\/script>/g)].map(([, json]) =>
    JSON.parse(json!),
  );

describe('what search engines find', () => {
  test('robots.txt names the sitemap, which names every public page by its whole address', async () => {
    const robots = await read('/robots.txt');
    assert.match(robots.headers.get('Content-Type')!, /^text\/plain/);
    assert.match(robots.text, /^Disallow: \/app$/m);
    assert.match(robots.text, new RegExp(`^Sitemap: ${KNOWN_AS}/sitemap.xml$`, 'm'));
    const sitemap = await read('/sitemap.xml');
    assert.match(sitemap.headers.get('Content-Type')!, /^application\/xml/);
    const named = [...sitemap.text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address);
    assert.deepEqual(
      named,
      PAGES.map((path) => new URL(path, KNOWN_AS).href),
    );
  });

  test('each public page has a title, a description and one address, whatever is asked of it', async () => {
    const seen = new Set<string>();
    for (const path of PAGES) {
      const { status, text } = await read(`${path}?utm_source=mail`);
      assert.equal(status, 200, path);
      const title = /<title>(.*?)<\/title>/.exec(text)![1]!;
      const description = content(text, 'description') ?? '';
      assert.ok(description.length >= 40 && description.length <= 320, `${path}: ${description}`);
      assert.equal(/<link rel="canonical" href="([^"]*)"/.exec(text)?.[1], new URL(path, KNOWN_AS).href);
      seen.add(title).add(description);
    }
    assert.equal(seen.size, 2 * PAGES.length);
  });

  test('what is not public says no address of its own', async () => {
    const { text } = await read('/forgot-password');
    assert.doesNotMatch(text, /rel="canonical"/);
  });

  test('the offer is five plans from 6 to 99 dollars, and the questions stand in it as on the page', async () => {
    const { text } = await read('/');
    const [product, questions] = linkedData(text);
    const { priceCurrency, lowPrice, highPrice, offerCount } = product.offers;
    assert.deepEqual([priceCurrency, lowPrice, highPrice, offerCount], ['USD', 6, 99, 5]);
    for (const [path, languages] of [['/?currency=INR'], ['/', 'hi-IN'], ['/?currency=EUR', 'hi-IN']]) {
      const [of] = linkedData((await read(path!, languages)).text);
      assert.deepEqual(of.offers, product.offers, `whoever looks at it: ${path} ${languages}`);
    }
    assert.ok(questions.mainEntity.length >= 6);
    for (const { name } of questions.mainEntity) assert.ok(text.includes(`<summary>${name}`), name);
  });

  test('a link to it is shown with a picture that is there', async () => {
    const { text } = await read('/');
    const picture = new URL(content(text, 'og:image')!);
    assert.equal(picture.origin, KNOWN_AS);
    const answer = await fetch(url + picture.pathname);
    const bytes = Buffer.from(await answer.arrayBuffer());
    assert.equal(answer.headers.get('Content-Type'), 'image/png');
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1200, 630]);
    assert.equal(content(text, 'og:url'), `${KNOWN_AS}/`);
  });
});

describe('prices', () => {
  const shown = (page: string) =>
    [...page.matchAll(/class="gauge-label">([^<]*)</g)].map(([, label]) => label);
  const chosen = (page: string) =>
    /href="\/\?currency=([A-Z]{3})#prices"[^>]*aria-current="true"/.exec(page)?.[1];

  test('are in the currency that the visitor most likely counts in', async () => {
    const likely = {
      'en-US,en;q=0.9': ['USD', '$6'],
      'hi,en;q=0.5': ['INR', '₹499'],
      'en-IN': ['INR', '₹499'],
      de: ['EUR', '€6'],
      'en-GB;q=0.8': ['GBP', '£5'],
      'ar-AE': ['AED', 'AED22'],
      'pt-BR': ['USD', '$6'],
      '*': ['USD', '$6'],
      ['x'.repeat(200)]: ['USD', '$6'],
      '%00<script>': ['USD', '$6'],
    };
    for (const [languages, [code, first]] of Object.entries(likely)) {
      const { text, headers } = await read('/', languages);
      assert.equal(chosen(text), code, languages);
      assert.match(headers.get('Vary')!, /Accept-Language/);
      if (code !== 'AED') assert.equal(shown(text)[0], first, languages);
    }
  });

  test('change with a link, and a currency we have no prices in changes nothing', async () => {
    assert.equal(chosen((await read('/?currency=GBP', 'en-IN')).text), 'GBP');
    assert.equal(chosen((await read('/?currency=eur')).text), 'EUR');
    for (const code of ['XXX', '', '__proto__', '<b>', 'a'.repeat(5000)]) {
      const { status, text } = await read(`/?currency=${encodeURIComponent(code)}`);
      assert.deepEqual([status, chosen(text), shown(text)[0]], [200, 'USD', '$6']);
    }
  });
});

describe('the imprint', () => {
  test('says who runs the service, as text', async () => {
    const { text } = await read('/imprint');
    for (const line of ['Harbour &amp; Sons &lt;Ltd&gt;', '1 Pier Road', '20457 Hamburg', 'DE 123'])
      assert.ok(text.includes(line), line);
    assert.match(text, /href="mailto:help@tidepost.example"/);
  });

  test('legal pages are sent without scripts but for the one that tells of the visit, and lead back to the parts of the start page', async () => {
    for (const path of ['/help', '/api/docs', '/api/docs/topics', '/terms', '/privacy', '/imprint']) {
      const { text } = await read(path);
      assert.doesNotMatch(text.replace(`<script>${BEACON}</script>`, ''), /<script/);
      assert.match(text, /href="\/#prices"/);
    }
  });
});

test('the privacy page tells what the writer is sent and what a browser keeps, also what is easily forgotten', async () => {
  const text = (await read('/privacy')).text.replaceAll('<!-- -->', '').replaceAll(/\s+/g, ' ');
  assert.ok(text.includes(`${TICKET_RETENTION_DAYS} days after the last word in it`));
  for (const told of [
    'examples of yours, and what your last posts said',
    'a picture with its post when you ask what it shows',
    'Everybody sees, if you switch that on in your account',
    'Such a picture is a copy that we made',
    'network (the first part of its address)',
    `One stays for ${TRUSTED_BROWSER_DAYS} days`,
    `without an account is forgotten after ${MAIL_RETENTION_DAYS} days, and that we mailed you after ${ACCOUNT_MAIL_RETENTION_DAYS}`,
  ])
    assert.ok(text.includes(told), told);
});
