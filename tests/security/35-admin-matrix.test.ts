import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import type { RouteConfigEntry } from '@react-router/dev/routes';
import { transact } from '#app/db/client.ts';
import { setRole } from '#app/domain/accounts/users.ts';
import { FeedbackInput } from '#app/domain/feedback/schema.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { storeScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { TicketInput } from '#app/domain/support/schema.ts';
import { submitTicket } from '#app/domain/support/tickets.ts';
import routes from '#app/routes.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePayment } from '#tests/fixtures/payments.ts';
import { pictureOf, screenshotOf } from '#tests/fixtures/screenshots.ts';
import { browserOf, tokenOf } from '#tests/fixtures/sessions.ts';
import { type TestDatabase, testDatabase } from '#tests/harness/database.ts';
import { type Browser, call, Browser as NewBrowser } from '#tests/harness/http/browser.ts';
import { API_PATHS, filled } from '#tests/harness/http/route-paths.ts';
import { startWeb } from '#tests/harness/web.ts';

/*
 * Who is refused where: every address below the admins' layout and every file of the admins' folder, and every call. What
 * is new and has no row here fails, and so does a row whose address is gone.
 */

const ROLES = ['visitor', 'user', 'former admin'] as const;
type Role = (typeof ROLES)[number];
type Answers = Record<Role, number>;

/** Pages lead visitors to sign in; what they send goes nowhere. The others are told that it is not for them. */
const PAGE = {
  GET: { visitor: 302, user: 403, 'former admin': 403 },
  'GET .data': { visitor: 202, user: 403, 'former admin': 403 },
  POST: { visitor: 401, user: 403, 'former admin': 403 },
  'POST .data': { visitor: 401, user: 403, 'former admin': 403 },
} satisfies Record<string, Answers>;
type Way = keyof typeof PAGE;
const NONE: Answers = { visitor: 404, user: 404, 'former admin': 404 };
/** A file is no page that scripts could ask for. */
const FILE = { ...PAGE, 'GET .data': NONE, 'POST .data': NONE };
/** As if there were nothing, so that nobody learns whether there is. */
const HIDDEN = { GET: NONE, 'GET .data': NONE, POST: NONE, 'POST .data': NONE };

const PAGES: Record<string, Record<Way, Answers>> = {
  '/app/admin': PAGE,
  '/app/admin/publishing': PAGE,
  '/app/admin/publishing/resume': PAGE,
  '/app/admin/writing': PAGE,
  '/app/admin/start-page': PAGE,
  '/app/admin/operations': PAGE,
  '/app/admin/operations/list': PAGE,
  '/app/admin/operations/jobs/:id/:verb': PAGE,
  '/app/admin/subscriptions': PAGE,
  '/app/admin/trends': PAGE,
  '/app/admin/revenue': PAGE,
  '/app/admin/users/:id': PAGE,
  '/app/admin/sign-ups/:id/resend': PAGE,
  '/app/admin/ledgers/:id': PAGE,
  '/app/admin/ledgers/:id/ledger.csv': FILE,
  '/app/admin/audit': PAGE,
  '/app/admin/support-feedback': PAGE,
  '/app/admin/saved-replies': PAGE,
  '/app/admin/payments/:id/verify': PAGE,
  '/payment-screenshots/:id': HIDDEN,
};

/** The tabs and dialogs of these pages are addresses of their own. */
const QUERIES: Record<string, string[]> = {
  '/app/admin/trends': ['days=7', 'days=90'],
  '/app/admin': ['tab=payments', 'tab=email', 'tab=visits', 'tab=users', 'tab=users&user=:id'],
  '/app/admin/users/:id': ['dialog=disable', 'dialog=enable', 'dialog=end-sessions', 'dialog=extend'],
  '/app/admin/support-feedback': ['tab=feedback', 'open=:id'],
  '/app/admin/saved-replies': ['edit=new'],
};

const CALL: Answers = { visitor: 401, user: 403, 'former admin': 403 };
const CALLS: Record<string, Answers> = {
  'GET /admin/stats': CALL,
  'GET /admin/users': CALL,
  'GET /admin/users/:id/posts': CALL,
  'GET /admin/pending-payments': CALL,
  'POST /admin/verify-payment/:id': CALL,
  'POST /admin/reject-payment/:id': CALL,
  'GET /admin/subscriptions': CALL,
  'GET /admin/payment-screenshot/:id': CALL,
  'GET /feedback/admin/all': CALL,
  'PUT /feedback/admin/:id/status': CALL,
  'GET /support/admin/all': CALL,
  'PUT /support/admin/:id/status': CALL,
  'GET /visits/analytics': CALL,
  'GET /visits/summary': CALL,
  'GET /email-tracking/analytics': CALL,
  'GET /email-tracking/summary': CALL,
};

/** Every address with a file of the admins, or below the layout that lets only them in. */
function adminPaths(entries: RouteConfigEntry[], above = '', isInside = false): string[] {
  return entries.flatMap(({ path, file, children }) => {
    const here = path ? `${above}/${path}` : above;
    const isAdmin = isInside || file.startsWith('routes/admin/');
    if (children) return adminPaths(children, here, isAdmin);
    return (isAdmin || here.includes('/admin')) && !here.startsWith('/api/') ? [here] : [];
  });
}

/** Stands in what admins see, and in no answer to anybody else. */
const MARKER = 'Quokka7351';

let database: TestDatabase;
let url: string;
let browsers: Record<Role, Browser>;
let tokens: Record<Role, string | undefined>;
let admin: Actor;
/** What there is of each kind, so that nobody is refused for want of it. */
let ids: { user: string; payment: string; ticket: string; feedback: string };

before(async () => {
  database = await testDatabase();
  ({ url } = await startWeb({ databaseUrl: database.url }));
  const { db } = database;
  admin = await makeUser(db, { isAdmin: true });
  const owner = await makeUser(db, { name: MARKER });
  const payment = await makePayment(db, owner, 1);
  const picture = await screenshotOf(await pictureOf('png'));
  await transact(db, (trx) => storeScreenshot(trx, payment.id, picture));
  const said = { name: MARKER, email: owner.email, category: 'billing', subject: MARKER, message: MARKER };
  const ticket = await submitTicket(db, owner, TicketInput.parse(said));
  const thought = FeedbackInput.parse({ type: 'bug', title: MARKER, description: MARKER });
  const feedback = await submitFeedback(db, owner, thought);
  ids = { user: owner.userId, payment: payment.id, ticket: ticket.id, feedback: feedback.id };
  await makeReaders();
});

async function makeReaders() {
  const { db } = database;
  const [user, former] = [await makeUser(db), await makeUser(db, { isAdmin: true })];
  browsers = {
    visitor: new NewBrowser(url),
    user: await browserOf(db, user, url),
    'former admin': await browserOf(db, former, url),
  };
  tokens = { visitor: undefined, user: await tokenOf(db, user), 'former admin': await tokenOf(db, former) };
  // Not by the command, which ends the sessions: what they are good for is asked each time.
  await db.updateTable('users').set({ role: 'user' }).where('id', '=', former.userId).execute();
}

/** The id that an address is about. */
function idIn(path: string): string {
  if (/payment/.test(path)) return ids.payment;
  if (/support/.test(path)) return ids.ticket;
  return /feedback/.test(path) ? ids.feedback : ids.user;
}
const at = (path: string) => filled(path, { id: idIn(path), verb: 'retry' });

/** The addresses of a page: by itself, and with what its question mark may ask. */
const addressesOf = (path: string) => ['', ...(QUERIES[path] ?? []).map((query) => `?${at(query)}`)];

function send(browser: Browser, way: Way, path: string, query: string) {
  const address = way.endsWith('.data') ? `${path}.data${query}` : path + query;
  return way.startsWith('GET') ? browser.get(address) : browser.post(address, { reason: 'No', usual: '' });
}

describe('35 the matrix of admins', () => {
  test('has a row for each of their addresses', () => {
    assert.deepEqual(Object.keys(PAGES).sort(), [...new Set(adminPaths(routes))].sort());
  });

  for (const [path, ways] of Object.entries(PAGES)) {
    test(`refuses ${path}`, async () => {
      for (const [way, answers] of Object.entries(ways) as [Way, Answers][]) {
        for (const role of ROLES) {
          for (const query of addressesOf(path)) {
            const answer = await send(browsers[role], way, at(path), query);
            const what = `${way} ${path}${query} for a ${role}`;
            assert.equal(answer.status, answers[role], what);
            const said = await answer.text();
            assert.ok(!said.includes(MARKER), `${what} says what admins see`);
            if (answer.status === 302) assert.equal(answer.headers.get('Location'), '/login', what);
          }
        }
      }
    });
  }

  test('has a row for each call that is theirs, and calls of others are not', async () => {
    const theirs: string[] = [];
    for (const path of API_PATHS) {
      const { headers } = await fetch(`${url}/api/v1${filled(path)}`, { method: 'PATCH' });
      for (const method of headers
        .get('Allow')!
        .split(', ')
        .filter((each) => each !== 'HEAD')) {
        const body = method === 'GET' || method === 'DELETE' ? undefined : {};
        const answer = await call(url, method, filled(path), body, tokens.user);
        const isTheirs = answer.status === 403 && answer.body.code === 'forbidden';
        assert.equal(isTheirs, `${method} ${path}` in CALLS, `${method} ${path} ${answer.status}`);
        if (isTheirs) theirs.push(`${method} ${path}`);
        // A test that signs itself out asks as somebody else from there on.
        if (path === '/auth/logout') tokens.user = await tokenOf(database.db, await makeUser(database.db));
      }
    }
    assert.deepEqual(theirs.sort(), Object.keys(CALLS).sort());
  });

  for (const [name, answers] of Object.entries(CALLS)) {
    test(`refuses ${name}`, async () => {
      const [method, path] = name.split(' ') as [string, string];
      for (const role of ROLES) {
        const body = method === 'GET' ? undefined : { reason: 'No', status: 'closed' };
        const answer = await call(url, method, at(path), body, tokens[role]);
        assert.equal(answer.status, answers[role], `${name} for a ${role}`);
        assert.ok(!JSON.stringify(answer.body).includes(MARKER));
      }
    });
  }

  test('leaves everything as it was', async () => {
    const { db } = database;
    assert.deepEqual(await db.selectFrom('auditLog').select('action').execute(), []);
    const { status } = await db
      .selectFrom('payments')
      .select('status')
      .where('id', '=', ids.payment)
      .executeTakeFirstOrThrow();
    assert.equal(status, 'pending');
  });

  test('lets admins see what it hides from others', async () => {
    const browser = await browserOf(database.db, admin, url);
    for (const path of Object.keys(PAGES)) {
      for (const query of addressesOf(path)) {
        const answer = await browser.get(at(path) + query);
        const isButton = /\/(?:resume|verify|resend|:verb)$/.test(path);
        assert.equal(answer.status, isButton ? 302 : 200, path + query);
      }
    }
    const token = await tokenOf(database.db, admin);
    for (const name of Object.keys(CALLS).filter((each) => each.startsWith('GET')))
      assert.equal((await fetchAs(token, at(name.slice(4)))).status, 200, name);
    await setRole(database.db, admin.email, 'user');
    assert.equal((await browser.get('/app/admin')).status, 302, 'a new role ends the sessions');
    assert.equal((await fetchAs(token, '/admin/stats')).status, 401);
  });
});

const fetchAs = (token: string, path: string) =>
  fetch(`${url}/api/v1${path}`, { headers: { Authorization: `Bearer ${token}` } });
