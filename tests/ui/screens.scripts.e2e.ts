import type { BrowserContext, Page } from '@playwright/test';
import axe from 'axe-core';
import { sql } from 'kysely';
import { type Db, transact } from '#app/db/client.ts';
import { cancelDeletionUrl } from '#app/domain/account-deletion/cancel-link.ts';
import { requestDeletion } from '#app/domain/account-deletion/request.ts';
import { createToken } from '#app/domain/accounts/sign-in/api-tokens.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { beginTotp } from '#app/domain/accounts/two-step/totp.ts';
import { unsubscribeLink } from '#app/domain/email/choices.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { vote } from '#app/domain/feedback/votes.ts';
import { connectUrl } from '#app/domain/linkedin/connect/tickets.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { storeScreenshot } from '#app/domain/payments/checkout/screenshots.ts';
import { REJECT_REASONS } from '#app/domain/payments/limits.ts';
import { rejectPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { failureText } from '#app/domain/posts/failures.ts';
import { takeOffStartPage } from '#app/domain/posts/landing/exclusions.ts';
import { storeVersion } from '#app/domain/posts/versions.ts';
import { approvalLinks } from '#app/domain/publishing/approval/links.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { noteOnTicket, replyToTicket, setTicketStatus } from '#app/domain/support/list-tickets.ts';
import { saveReply } from '#app/domain/support/save-reply.ts';
import { TicketInput } from '#app/domain/support/schema.ts';
import { createThreadLink } from '#app/domain/support/thread-links.ts';
import { submitTicket } from '#app/domain/support/tickets.ts';
import { listFacts } from '#app/domain/voice/fact-list.ts';
import { addExample, listExamples } from '#app/domain/voice/voice.ts';
import { storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { makeDemo } from '#scripts/demo/make-demo.ts';
import { DEMO_USER } from '#scripts/demo/people.ts';
import { makeUser, PASSWORD } from '#tests/fixtures/accounts.ts';
import { makeAttempt } from '#tests/fixtures/attempts.ts';
import { makeDeadJob } from '#tests/fixtures/dead-jobs.ts';
import { connectLinkedIn, setConnection } from '#tests/fixtures/linkedin.ts';
import { endPlanAt, makePayment, makePlan } from '#tests/fixtures/payments.ts';
import {
  failTopic,
  makePublisher,
  makeScheduledPost,
  makeTopic,
  standAs,
  takeOut,
} from '#tests/fixtures/posts.ts';
import { makePublished, makeShownAuthor } from '#tests/fixtures/published-posts.ts';
import { composedOf } from '#tests/fixtures/runs.ts';
import { pictureOf, screenshotOf } from '#tests/fixtures/screenshots.ts';
import { inSession } from '#tests/fixtures/sessions.ts';
import { showPosts } from '#tests/harness/e2e/carousel.ts';
import {
  expect,
  newEmail,
  newName,
  sandboxUrl,
  signInAs,
  signInAsPublisher,
  test,
} from '#tests/harness/e2e/kit.ts';

const WIDTHS = [390, 820, 1366];
const PICTURES = [390, 820, 1366];
const PHONE = 390;
const NARROWEST = 320;
/** Which of axe's rules a page must keep. The dark theme changes nothing but colours. */
const THEMES = {
  light: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  dark: ['color-contrast', 'link-in-text-block'],
};

/**
 * Colours are no others at a width in between: what is shown there is shown by the narrowest or the widest page too, as
 * every breakpoint has one side.
 */
const widthsIn = (theme: keyof typeof THEMES) =>
  theme === 'light' || process.env.PICTURES ? WIDTHS : [WIDTHS[0]!, WIDTHS.at(-1)!];

declare global {
  interface Window {
    axe: typeof axe;
  }
}

test.describe.configure({ mode: 'parallel' });
test.beforeEach(async ({ page }, info) => {
  info.setTimeout(300_000);
  await page.addInitScript(axe.source);
});

/** What a browser complains about while it shows a page. */
function listen(page: Page): string[] {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`console: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`script: ${error.message}`));
  page.on('requestfailed', (request) => {
    // What a new page makes superfluous is not a failure.
    const why = request.failure()?.errorText;
    if (why !== 'net::ERR_ABORTED') complaints.push(`request: ${request.url()} ${why}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`answer: ${response.status()} ${response.url()}`);
  });
  return complaints;
}

/** Waits until the page is on the screen and what changes over time has arrived. */
const settle = (page: Page) =>
  page.evaluate(async () => {
    await new Promise((painted) => requestAnimationFrame(() => requestAnimationFrame(painted)));
    const running = document.getAnimations().filter(({ effect }) => {
      const { delay = 0, endTime = 0 } = effect?.getComputedTiming() ?? {};
      return delay === 0 && endTime !== Number.POSITIVE_INFINITY;
    });
    await Promise.allSettled(running.map(({ finished }) => finished));
  });

const isWiderThanScreen = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

/**
 * What can be pressed on less than 44 pixels of height, by whatever means: its box, its label or what lies around it.
 * Links within a text are as high as its lines.
 */
const lowTargets = (page: Page) =>
  page.evaluate(() => {
    const most = 22;
    const lines: string[] = [];
    const isInText = (element: Element) => {
      const around = element.parentElement!.textContent!.trim().length;
      const isInline = getComputedStyle(element).display === 'inline';
      return element.tagName === 'A' && isInline && around > element.textContent!.trim().length + 3;
    };
    /** How far above (-1) or below (1) its middle an element is still what is pressed. */
    const reach = (element: HTMLElement, way: -1 | 1) => {
      const { left, top, width, height } = element.getBoundingClientRect();
      const parts = [element, ...((element as HTMLInputElement).labels ?? [])];
      let far = 0;
      for (; far < most; far += 1) {
        const at = document.elementFromPoint(left + width / 2, top + height / 2 + way * (far + 0.5));
        if (!at || !parts.some((part) => part.contains(at))) break;
      }
      return far;
    };
    const root = document.querySelector('dialog:modal, dialog[open]') ?? document;
    const pressed =
      'a[href], button, input, select, textarea, summary, label:has(:is([type=radio], [type=checkbox]))';
    for (const element of root.querySelectorAll<HTMLElement>(pressed)) {
      const { width, height } = element.getBoundingClientRect();
      const isShown = width > 1 && height > 1 && element.checkVisibility({ visibilityProperty: true });
      if (!isShown || height >= 2 * most - 0.5 || isInText(element)) continue;
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      if (reach(element, -1) + reach(element, 1) >= 2 * most - 1) continue;
      lines.push(
        `${element.tagName} "${element.textContent!.slice(0, 40)}" ${element.className} ${height}px`,
      );
    }
    scrollTo({ top: 0, behavior: 'instant' });
    return lines;
  });

/**
 * What axe finds on a page. Only the sentences leave the page: the results are megabytes. A target that lies half under
 * a bar which stays on the screen is asked about again where it is scrolled clear of it.
 */
const barriers = (page: Page, runOnly: string[]) =>
  page.evaluate(async (runOnly) => {
    const options = { runOnly, resultTypes: ['violations' as const], selectors: false, elementRef: true };
    const { violations } = await window.axe.run(document, options);
    const lines: string[] = [];
    for (const { id, nodes } of violations) {
      for (const { html, any, element } of nodes) {
        if (id === 'target-size' && element && (await isClearInTheMiddle(element))) continue;
        lines.push(`${id}: ${html.slice(0, 160)} ${any[0]?.message ?? ''}`);
      }
    }
    scrollTo({ top: 0, behavior: 'instant' });
    return lines;

    async function isClearInTheMiddle(element: HTMLElement) {
      element.scrollIntoView({ block: 'center', behavior: 'instant' });
      const again = await window.axe.run(element, {
        ...options,
        runOnly: { type: 'rule', values: ['target-size'] },
      });
      return again.violations.length === 0;
    }
  }, runOnly);

/**
 * Looks at a page in each width, loaded in the theme: a change of theme passes through colours of neither, which is
 * waited for on a page that is there (no address), as one that cannot be asked for again. Where things stand is looked
 * at in one theme, for the other changes nothing but colours.
 */
async function lookAt(page: Page, name: string, address: string | null, theme: keyof typeof THEMES) {
  const asksWhere = theme === 'light';
  await page.setViewportSize({ width: asksWhere ? NARROWEST : WIDTHS[0]!, height: 800 });
  if (address) await page.goto(address);
  await expect(page.getByRole('heading').first()).toBeVisible();
  const expectNoSideways = async (width: number) =>
    expect.soft(await isWiderThanScreen(page), `${name} scrolls sideways at ${width}`).toBe(false);
  if (asksWhere) await expectNoSideways(NARROWEST);
  for (const width of widthsIn(theme)) {
    await page.setViewportSize({ width, height: 800 });
    if (asksWhere) await expectNoSideways(width);
    await settle(page);
    if (asksWhere && width === PHONE)
      expect.soft(await lowTargets(page), `low targets of ${name}`).toEqual([]);
    const where = `${name} at ${width}, ${theme}`;
    if (address) expect.soft(await barriers(page, THEMES[theme]), where).toEqual([]);
    else await expect.poll(() => barriers(page, THEMES[theme]), where).toEqual([]);
    if (!process.env.PICTURES || !PICTURES.includes(width)) continue;
    await page.screenshot({ path: `test-results/screens/${name}-${width}-${theme}.png`, fullPage: true });
  }
}

/** Looks at pages in both themes; with PICTURES=1 pictures of every width go to test-results/screens. */
async function look(page: Page, screens: Record<string, string | null>) {
  const complaints = listen(page);
  for (const theme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: theme, reducedMotion: 'reduce' });
    for (const [name, address] of Object.entries(screens)) {
      await test.step(`${name}, ${theme}`, () => lookAt(page, name, address, theme));
    }
  }
  expect(complaints).toEqual([]);
}

test('visitors', async ({ page, db }) => {
  await showPosts(db);
  await page.goto('/signup');
  await page.getByLabel('Full name').fill(`Ada ${newName()}`);
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible();
  await look(page, {
    landing: '/',
    'landing-prices': '/?currency=INR#prices',
    help: '/help',
    'help-found': '/help?q=linkedin',
    'api-docs': '/api/docs',
    'api-calls': '/api/docs/topics',
    'help-login': '/login?help=support',
    terms: '/terms',
    privacy: '/privacy',
    imprint: '/imprint',
    login: '/login',
    signup: '/signup',
    'verify-otp': '/verify-otp',
    'forgot-password': '/forgot-password',
    'auth-google': '/auth/google',
  });
  await page.goto('/forgot-password');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByRole('button', { name: 'Send Reset Code' }).click();
  await expect(page.getByRole('heading', { name: 'Choose a new password' })).toBeVisible();
  await look(page, { 'reset-password': '/reset-password' });
});

test('requests and feedback on the desk', async ({ page, context, db }) => {
  const author = await makeUser(db, { name: 'Maximiliana Konstantinopolska-Featherstonehaugh' });
  const said = { name: author.name, email: author.email, category: 'billing' as const };
  const { id } = await db
    .insertInto('supportTickets')
    .values([
      ...Array.from({ length: 3 }, (_, nth) => ({
        ...said,
        subject: `Where is my invoice ${nth}?`,
        message: 'I paid on Monday. '.repeat(9),
        askedAt: new Date(Date.now() - nth * 20 * 3_600_000),
        status: (['open', 'in_progress', 'resolved'] as const)[nth]!,
      })),
      { ...said, subject: 'S'.repeat(150), message: `${'m'.repeat(300)}\n\nThank you` },
    ])
    .returning('id')
    .executeTakeFirstOrThrow();
  const admin = await makeUser(db, { isAdmin: true });
  const now = new Date();
  await noteOnTicket(db, admin, { ticketId: id, message: 'Ask the bank first.' }, now);
  await replyToTicket(db, admin, { ticketId: id, message: 'It is on its way.\n\nYours, Vera' }, now);
  const wish = {
    type: 'bug',
    title: 'Prices without cents',
    description: 'On my phone.',
    rating: 3,
  } as const;
  const feedback = await submitFeedback(db, author, wish);
  await signInAs(context, db, admin);
  const desk = '/app/admin/support-feedback';
  await look(page, {
    'desk-tickets': desk,
    'desk-ticket': `${desk}?open=${id}`,
    'desk-nothing': `${desk}?q=nothing-like-this`,
    'desk-feedback': `${desk}?tab=feedback`,
    'desk-feedback-opened': `${desk}?tab=feedback&open=${feedback.id}`,
  });
});

test('the desk of the start page', async ({ page, context, db }) => {
  const author = await makeShownAuthor(db);
  const content = `A plan fits on a postcard. ${'m'.repeat(120)}`;
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000);
  const id = await makePublished(db, author, { content, topicName: 'Planning', at: at(2) });
  const admin = await makeUser(db, { isAdmin: true });
  await makePublished(db, author, { topicName: 'N'.repeat(60), at: at(1) });
  await takeOffStartPage(db, admin, { postId: id, reason: `It names ${'a customer '.repeat(20)}` });
  await signInAs(context, db, admin);
  const desk = '/app/admin/start-page';
  await look(page, { 'desk-start-page': desk, 'desk-start-page-back': `${desk}?put-back=${id}` });
});

test('the board of feedback', async ({ page, context, db }) => {
  const [author, actor] = [await makeUser(db), await makeUser(db)];
  const said = [
    ['feature_request', 'planned', 'Let me write posts in two languages at once', 14],
    ['bug', 'in_progress', 'The calendar shows Sunday twice when the clocks go back in Lisbon', 6],
    ['improvement', 'reviewed', `A${'a'.repeat(70)}`, 1],
    ['compliment', 'completed', 'The mornings are mine again', 0],
    ['general', 'new', 'هل يمكنني الكتابة بالعربية؟', 0],
  ] as const;
  const ids: string[] = [];
  for (const [type, status, title, votes] of said) {
    const description = `${title}. ${'I read it on the train every day, and then I wonder. '.repeat(6)}`;
    const { id } = await db
      .insertInto('feedback')
      .values({ userId: author.userId, type, status, title, description, upvotes: votes })
      .returning('id')
      .executeTakeFirstOrThrow();
    ids.push(id);
  }
  const own = { type: 'bug', title: 'Prices without cents', description: 'On my phone.', rating: 3 } as const;
  const { id } = await submitFeedback(db, actor, own);
  await vote(db, actor, { feedbackId: ids[1]! });
  await signInAs(context, db, actor);
  await look(page, {
    feedback: '/app/feedback',
    'feedback-own': '/app/feedback?sort=own',
    'feedback-opened': `/app/feedback?open=${id}`,
    'feedback-gone': '/app/feedback?open=nothing',
  });
  await page.goto('/app/feedback?dialog=feedback');
  await page.getByLabel('Title').pressSequentially('Writing posts in two languages at once');
  await expect(page.getByText('Is it one of these?')).toBeVisible();
  await look(page, { 'feedback-similar': null });
});

test('somebody new', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await look(page, {
    'feedback-own-empty': '/app/feedback?sort=own',
    'feedback-dialog': '/app/feedback?dialog=feedback',
    'feedback-nothing': '/app/feedback?q=nothing-like-this',
    'dashboard-new': '/app/dashboard',
    'topics-empty': '/app/topics',
    'topics-dialog': '/app/topics?dialog=topic',
    'voice-empty': '/app/voice',
    'voice-example': '/app/voice?dialog=example',
    'facts-empty': '/app/voice/facts',
    interview: '/app/voice/interview',
    'scheduled-empty': '/app/scheduled',
    'posts-empty': '/app/posts',
    'payments-empty': '/app/payments',
    'linkedin-not-connected': '/app/linkedin',
    'subscribe-1': '/app/dashboard?dialog=subscribe',
    'subscribe-2-upi': '/app/dashboard?dialog=subscribe&step=2&posts=3&currency=INR',
    'subscribe-2-paypal': '/app/dashboard?dialog=subscribe&step=2&posts=1&currency=USD',
  });
});

test('support', async ({ page, context, db }) => {
  const actor = await makeUser(db, { name: 'Ada Marlow' });
  const admin = await makeUser(db, { isAdmin: true });
  await signInAs(context, db, actor);
  await look(page, { 'support-empty': '/app/support' });
  const ask = (owner: Actor | null, subject: string) => {
    const message = 'My posts go out an hour early since Sunday. Whose clock is it?\n\nThank you!';
    return submitTicket(db, owner, TicketInput.parse({ name: 'Ada', email: actor.email, subject, message }));
  };
  const own = await ask(actor, 'Publish times after the clocks went back');
  const closed = await ask(actor, 'A word without any space '.padEnd(140, 'w'));
  const free = await ask(null, 'I can’t sign in');
  const message =
    'Your zone was set to London.\n\nChoose yours in Automation Settings, and all times follow it.';
  await replyToTicket(db, admin, { ticketId: own.id, message, status: 'resolved' });
  await setTicketStatus(db, admin, { ticketId: closed.id, status: 'closed' });
  const { pathname, search } = new URL(createThreadLink(free, new Date()).url);
  await look(page, {
    support: '/app/support',
    'support-thread': `/app/support/${own.id}`,
    'support-closed': `/app/support/${closed.id}`,
    'support-by-mail': pathname + search,
    'help-dialog': '/app/support?help=support',
    'help-feedback': '/app/support?help=feedback',
    'help-signed-in': '/help',
  });
});

/** The session in which somebody is signed in alone. */
const sessionOf = async (db: Db, { userId }: Actor) =>
  (
    await db
      .selectFrom('sessions')
      .select('id')
      .where('userId', '=', userId)
      .where('kind', '=', 'web')
      .executeTakeFirst()
  )?.id;

test('an account', async ({ page, context, db }) => {
  const actor = await makeUser(db);
  await createToken(db, await inSession(db, actor), {
    name: 'The program that takes posts to the archive',
    scope: 'read',
    days: 30,
  });
  await signInAs(context, db, actor);
  const to = { userId: actor.userId, address: actor.email };
  const { pathname, search } = new URL(unsubscribeLink(to, 'topics'));
  await look(page, {
    account: '/app/account',
    'account-email': '/app/account?form=email',
    'account-password': '/app/account?form=password',
    'account-zone': '/app/account?form=zone',
    'stop-mails': pathname + search,
    'account-security': '/app/account/security',
    'account-tokens': '/app/account/tokens',
    'account-emails': '/app/account/emails',
    'account-data': '/app/account/data',
    'account-delete': '/app/account/data?dialog=delete',
    'keep-account-done': '/keep-account?state=kept',
  });
  const { id } = await requestDeletion(db, actor, (await sessionOf(db, actor))!);
  await look(page, {
    'account-leaving': '/app/account/data',
    'account-leaving-elsewhere': '/app/topics',
    'keep-account': new URL(cancelDeletionUrl({ id })).pathname + new URL(cancelDeletionUrl({ id })).search,
  });
});

test('the question for the password', async ({ page, context, db }) => {
  const user = await makeUser(db);
  await signInAs(context, db, user);
  await db
    .updateTable('sessions')
    .set({ reauthenticatedAt: new Date(0) })
    .where('userId', '=', user.userId)
    .execute();
  await page.goto('/app/account/tokens');
  await page.getByLabel('Name').fill('CI');
  await page.getByRole('button', { name: 'Make token' }).click();
  await page.waitForURL('/app/confirm');
  await look(page, { confirm: '/app/confirm' });
});

test('an account that waits for the code of a new address', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/account?form=email');
  await page.getByLabel('New email').fill(newEmail());
  await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Mail the code' }).click();
  await expect(page.getByText('code that was mailed to')).toBeVisible();
  await look(page, { 'account-code': '/app/account' });
});

/** Answers at LinkedIn, as the sandbox shows it, as somebody who is not in its list. */
async function comeByLinkedIn(page: Page, email: string) {
  await page.goto('/login');
  await page.getByRole('button', { name: 'Sign in with LinkedIn' }).click();
  await page.getByText('Somebody else').click();
  await page.getByLabel('Name', { exact: true }).fill('Ada Marlow');
  await page.getByLabel('E-mail', { exact: true }).fill(email);
  await page.getByRole('button', { name: 'Allow', exact: true }).click();
}

test('who comes by a provider', async ({ page, context, db }) => {
  await comeByLinkedIn(page, newEmail());
  await expect(page.getByRole('heading', { name: 'Also publish for you?' })).toBeVisible();
  await look(page, { 'publish-too': '/auth/linkedin/publish', 'security-linked': '/app/account/security' });
  await context.clearCookies();
  await page.goto(`${sandboxUrl()}/linkedin/logout`);
  const actor = await makeUser(db);
  await comeByLinkedIn(page, actor.email);
  await expect(page.getByRole('heading', { name: 'You have an account already' })).toBeVisible();
  await look(page, { 'link-sign-in-first': '/auth/link' });
  await signInAs(context, db, actor);
  await look(page, { link: '/auth/link' });
  await page.getByRole('button', { name: 'Link LinkedIn' }).click();
  await page.waitForURL('**/app/dashboard');
  await look(page, { unlink: '/app/account/security?confirm-unlink=linkedin' });
  await look(page, { 'connect-begun-by-program': new URL(connectUrl(actor.userId)).pathname });
});

/** Where the dialog stands that asks before a token goes whose name is one long word. */
async function withLongToken(db: Db, actor: Actor): Promise<string> {
  const { token } = await createToken(db, await inSession(db, actor), {
    name: 'W'.repeat(60),
    scope: 'read',
  });
  return `/app/account/tokens?confirm-revoke=${token.id}`;
}

test('the second step of signing in', async ({ page, context, db }) => {
  const actor = await makeUser(db);
  await signInAs(context, db, actor);
  await beginTotp(db, actor);
  await look(page, {
    'authenticator-app': '/app/account/authenticator-app',
    'passkey-new': '/app/account/passkeys/new',
  });
  const { userId } = actor;
  const key = { publicKey: 'none', counter: 0 };
  const names = ['My laptop', 'W'.repeat(50)];
  const keys = names.map((name) => ({ ...key, name, userId, credentialId: newName() }));
  await db.insertInto('passkeys').values(keys).execute();
  await db
    .insertInto('recoveryCodes')
    .values([{ userId, codeHash: 'kept' }])
    .execute();
  const confirmedAt = new Date();
  await db.updateTable('authenticatorApps').set({ confirmedAt }).where('userId', '=', userId).execute();
  await look(page, {
    'token-revoke': await withLongToken(db, actor),
    'two-step-on': '/app/account/security',
    'recovery-codes-new': '/app/account/recovery-codes',
    'factor-remove': '/app/account/remove-factor',
  });
  await page.goto('/app/account/recovery-codes');
  await page.getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Make new codes' }).click();
  await expect(page.getByRole('heading', { name: 'Your recovery codes' })).toBeVisible();
  await look(page, { 'recovery-codes': null });

  await context.clearCookies();
  await page.goto('/login');
  await page.getByLabel('Email').fill(actor.email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'One more step' })).toBeVisible();
  await look(page, {
    'second-step': '/login/second-step',
    'second-step-recovery': '/login/second-step?with=recovery-code',
  });
});

/** Signs the browser in as the person of the demo, whom the first to come makes. */
async function signInAsMaya(context: BrowserContext, db: Db): Promise<Actor> {
  await db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(847262)`.execute(trx);
    const made = await makeDemo(trx);
    if (made) await connectLinkedIn(trx, made.user, sandboxUrl());
  });
  const { id } = await db
    .selectFrom('users')
    .select('id')
    .where('email', '=', DEMO_USER.email)
    .executeTakeFirstOrThrow();
  const { token } = await createSession(db, id, 'web', 'browser tests');
  const { actor } = (await findSession(db, token, 'web'))!;
  await signInAs(context, db, actor);
  return actor;
}

test('somebody in the middle of the story', async ({ page, context, db }) => {
  await signInAsMaya(context, db);
  await look(page, {
    dashboard: '/app/dashboard',
    settings: '/app/dashboard?settings',
    topics: '/app/topics',
    posts: '/app/posts',
    payments: '/app/payments',
    'linkedin-connected': '/app/linkedin',
    'upgrade-1': '/app/dashboard?dialog=subscribe',
    'upgrade-2': '/app/dashboard?dialog=subscribe&step=2&posts=5&currency=USD',
  });
});

test('plans that end, payments that are checked, and receipts', async ({ page, context, db }) => {
  const month = 31 * 86_400_000;
  const ended = await makePublisher(db, sandboxUrl());
  await makeScheduledPost(db, ended, { dueAt: new Date(Date.now() + 86_400_000) });
  await endPlanAt(db, ended, new Date(Date.now() - 60_000));
  await signInAs(context, db, ended);
  await look(page, { 'payments-ended': '/app/payments', 'topics-ended': '/app/topics' });

  const ending = await makeUser(db);
  const { id } = await makePlan(db, ending, 2, new Date(Date.now() - month + 5 * 86_400_000));
  await signInAs(context, db, ending);
  await look(page, {
    receipt: `/app/payments/${id}/receipt`,
    'payments-renewal': '/app/payments',
    'topics-renewal': '/app/topics',
    'upgrade-smaller': '/app/payments?dialog=subscribe&posts=1',
    'upgrade-next': '/app/payments?dialog=subscribe&step=2&posts=2&currency=INR&start=next',
  });
  await makePayment(db, ending, 5, new Date(), { upgradeType: 'immediate' });
  await look(page, {
    'payments-pending': '/app/payments',
    'subscribe-waiting': '/app/dashboard?dialog=subscribe',
  });
});

test('the queue in the middle of the story', async ({ page, context, db }) => {
  const { userId } = await signInAsMaya(context, db);
  const post = await db
    .selectFrom('postSchedules')
    .select('postId as id')
    .where('userId', '=', userId)
    .where('status', '=', 'generated')
    .orderBy('dueAt')
    .executeTakeFirstOrThrow();
  await look(page, {
    scheduled: '/app/scheduled',
    'scheduled-open': `/app/scheduled?open=${post.id}`,
    'scheduled-edit': `/app/scheduled?edit=${post.id}`,
    'scheduled-publish': `/app/scheduled?confirm-publish=${post.id}`,
    'scheduled-move': `/app/scheduled?move=${post.id}`,
    'scheduled-swap': `/app/scheduled?swap=${post.id}`,
  });
});

test('the voice in the middle of the story', async ({ page, context, db }) => {
  const actor = await signInAsMaya(context, db);
  const {
    rows: [fact],
  } = await listFacts(db, actor, { limit: 1 });
  await addExample(
    db,
    actor,
    `On Tuesdays I walk the floor with the crew. ${'Nobody brings a tablet. '.repeat(20)}`,
  );
  const [example] = await listExamples(db, actor.userId);
  await look(page, {
    voice: '/app/voice',
    'voice-remove': `/app/voice?confirm-remove=${example!.id}`,
    facts: '/app/voice/facts',
    'facts-edit': `/app/voice/facts?edit=${fact!.id}`,
    'facts-delete': `/app/voice/facts?confirm-delete=${fact!.id}`,
  });
});

test('somebody whose connection ended', async ({ page, context, db }) => {
  const actor = await makePublisher(db, sandboxUrl(), 2);
  const openings = [
    'Nobody reads a plan of forty pages',
    'Ask who decides before you ask what',
    'Two hours on Friday',
  ];
  for (const [index, opening] of openings.entries()) {
    const dueAt = new Date(Date.now() - (3 - index) * 86_400_000);
    await makeScheduledPost(db, actor, {
      dueAt,
      content: `${opening}.\n\nThe rest of the post. ${newName()}`,
    });
  }
  await db
    .updateTable('postSchedules')
    .set({ heldAt: new Date() })
    .where('userId', '=', actor.userId)
    .execute();
  await setConnection(db, actor, { status: 'expired' });
  await signInAs(context, db, actor);
  await look(page, { 'dashboard-lost': '/app/dashboard', 'linkedin-lost': '/app/linkedin' });
  await connectLinkedIn(db, actor, sandboxUrl(), `ada.marlow.${newName()}@members.example`);
  await look(page, {
    'linkedin-missed': '/app/linkedin',
    'scheduled-missed': '/app/scheduled',
    'topics-missed': '/app/topics',
  });
  await setConnection(db, actor, {
    resumeChoice: 'none',
    expiresAt: new Date(Date.now() + 3 * 86_400_000),
    refreshTokenSealed: null,
  });
  await page.goto('/app/linkedin');
  await page.getByRole('button', { name: 'Send a test post' }).click();
  await expect(page.getByText('LinkedIn took it at')).toBeVisible();
  await look(page, { 'linkedin-ending': '/app/linkedin', 'payments-ending': '/app/payments' });
});

/** A history with every state that a post can come to. */
async function makeHistory(db: Db, actor: Actor) {
  const outcomes = [
    { status: 'published', postedAt: new Date(), networkUrn: `urn:li:share:${Date.now()}` },
    { status: 'published', postedAt: new Date() },
    { status: 'failed', ...failureText('unconfirmed'), isUnconfirmed: true },
    { status: 'failed', ...failureText('too_long') },
    { status: 'failed', ...failureText('too_late') },
  ] as const;
  const ids: string[] = [];
  for (const outcome of outcomes) {
    const id = await makeScheduledPost(db, actor, { dueAt: new Date(Date.now() + 86_400_000) });
    await standAs(db, id, outcome);
    await takeOut(db, id);
    const explanation = outcome.status === 'failed' ? outcome.reason : null;
    const [state, at] = [outcome.status === 'failed' ? 'refused' : 'published', new Date()] as const;
    const over = { startedAt: at, finishedAt: at, resolvedAt: at };
    await makeAttempt(db, actor, id, { ...over, state, explanation });
    ids.push(id);
  }
  const likes = { postId: ids[0]!, userId: actor.userId, likes: 1_204, comments: 31, shares: 1 };
  await db.insertInto('engagements').values(likes).execute();
  return ids;
}

/** Three slots a day from six days ago, as they filled: what went out, what failed, what waits, and between them open ones. */
async function makeMonth(db: Db, actor: Actor) {
  const today = Temporal.Now.plainDateISO('UTC');
  const at = (day: number, time: string) => new Date(`${today.add({ days: day })}T${time}:00Z`);
  const begun = { startsAt: at(-6, '00:00') };
  await db.updateTable('payments').set(begun).where('userId', '=', actor.userId).execute();
  const daysOff = [4, 5, 11, 12].map((days) => today.add({ days }).toString());
  await saveSettings(db, actor, { timeZone: 'UTC', publishTimes: ['06:05', '12:30', '17:00'], daysOff });
  const add = async (day: number, time: string, content: string, standing: Parameters<typeof standAs>[2]) => {
    const dueAt = at(day, time);
    const id = await makeScheduledPost(db, actor, { content: `${content}\n\nThe rest.`, dueAt });
    const postedAt = standing.status === 'published' ? dueAt : null;
    await standAs(db, id, { ...standing, postedAt });
    if (day < 0) await takeOut(db, id);
    return id;
  };
  for (let day = -6; day < 0; day += 1) {
    await add(day, '06:05', 'Nobody reads a plan of forty pages', { status: 'published' });
    if (day % 3) await add(day, '12:30', 'Ask who decides before you ask what', { status: 'published' });
  }
  await add(-2, '17:00', 'Two hours on Friday', { status: 'failed', ...failureText('too_long') });
  await add(-1, '12:30', 'Say it in one sentence', {
    status: 'failed',
    ...failureText('unconfirmed'),
    isUnconfirmed: true,
  });
  for (const day of [1, 2, 3, 6, 7])
    await add(day, '06:05', 'Every update has one reader who decides whether it was worth it', {
      status: 'generated',
    });
  await add(2, '12:30', 'Tell a new hire what not to do yet', { status: 'pending', needsApproval: true });
  await add(3, '12:30', 'Plan the week backwards from Friday', { status: 'generated', heldAt: new Date() });
  await add(3, '17:00', 'Write the ending first', { status: 'pending', needsApproval: true });
  return add(6, '12:30', 'Delegate the decision, keep the deadline', { status: 'generated' });
}

/** Where it is three in the afternoon now: a day there has times before it and behind it. */
function zoneOfAfternoon(): string {
  const east = ((15 - new Date().getUTCHours() + 9 + 24) % 24) - 9;
  return `Etc/GMT${east > 0 ? '-' : '+'}${Math.abs(east)}`;
}

/** A day with all that can stand in it, and the next, in which the plan ends. */
async function makeDay(db: Db, actor: Actor) {
  const { timeZone } = actor;
  const today = Temporal.Now.plainDateISO(timeZone);
  const at = (day: number, time: string) =>
    new Date(today.add({ days: day }).toZonedDateTime({ timeZone, plainTime: time }).epochMilliseconds);
  const times = ['08:00', '09:30', '11:10', '17:40', '19:20'];
  await saveSettings(db, actor, { timeZone, publishTimes: times, contentCreationTime: '07:00' });
  await db
    .updateTable('payments')
    .set({ startsAt: at(-6, '00:00') })
    .where('userId', '=', actor.userId)
    .execute();
  await endPlanAt(db, actor, at(1, '12:00'));
  const { id: topicId } = await makeTopic(db, actor);
  const add = async (
    day: number,
    number: number,
    content: string,
    standing: Parameters<typeof standAs>[2],
  ) => {
    const slot = { slotDate: today.add({ days: day }).toString(), slotNumber: number };
    const id = await makeScheduledPost(db, actor, { content, dueAt: at(day, times[number - 1]!), slot });
    await db.updateTable('posts').set({ topicId }).where('id', '=', id).execute();
    await standAs(db, id, standing);
    if (standing.status === 'published' || standing.status === 'failed') await takeOut(db, id);
    return id;
  };
  const error = 'The writer did not answer in time';
  await db
    .insertInto('generationRuns')
    .values({
      userId: actor.userId,
      status: 'complete',
      requested: 5,
      done: 4,
      failed: 1,
      error,
      scheduledFor: at(0, '07:00'),
      createdAt: at(0, '07:00'),
      finishedAt: at(0, '07:04'),
    })
    .execute();
  const urn = (n: number) => `urn:li:share:${Date.now()}${n}`;
  const out = (time: string, n: number) =>
    ({ status: 'published', postedAt: at(0, time), networkUrn: urn(n) }) as const;
  await add(0, 2, 'Nobody reads a plan of forty pages', out('09:30', 1));
  await add(0, 3, 'Ask who decides before you ask what', out('14:12', 2));
  const long = 'Tell a new hire what not to do yet, and why it can wait until they have met their customers';
  await add(0, 4, long, { status: 'pending', needsApproval: true });
  await add(0, 5, 'Two hours on Friday', { status: 'generated' });
  await add(1, 1, 'Write the ending first', { status: 'generated' });
  await add(1, 4, 'Plan the week backwards from Friday', { status: 'generated' });
  return add(1, 5, 'Delegate the decision, keep the deadline', { status: 'pending', needsApproval: true });
}

test('somebody in the afternoon of the last day but one', async ({ page, context, db }) => {
  const actor = { ...(await makePublisher(db, sandboxUrl(), 5)), timeZone: zoneOfAfternoon() };
  const last = await makeDay(db, actor);
  await signInAs(context, db, actor);
  await look(page, {
    'dashboard-day': '/app/dashboard',
    'scheduled-ending': `/app/scheduled?open=${last}`,
    'week-ending': '/app/scheduled?view=week',
  });
  const states = page.locator('.line-state .badge');
  for (const width of [PHONE, 820, 1366]) {
    await page.setViewportSize({ width, height: 800 });
    await page.goto('/app/scheduled');
    for (const state of await states.all()) {
      await state.evaluate((element) => element.scrollIntoView({ block: 'center' }));
      const isWhole = await state.evaluate((element) => {
        const { right, top, height } = element.getBoundingClientRect();
        return height < 30 && element.contains(document.elementFromPoint(right - 2, top + height / 2));
      });
      expect.soft(isWhole, `${await state.textContent()} at ${width}`).toBe(true);
    }
  }
  await saveSettings(db, actor, { enabled: false });
  await look(page, { 'dashboard-paused': '/app/dashboard' });
});

test('somebody with a month of posts', async ({ page, context, db }) => {
  const actor = { ...(await makePublisher(db, sandboxUrl(), 3)), timeZone: 'UTC' };
  const last = await makeMonth(db, actor);
  await signInAs(context, db, actor);
  await look(page, {
    month: '/app/scheduled?view=month',
    week: '/app/scheduled?view=week',
    'month-move': `/app/scheduled?view=month&move=${last}`,
  });
});

/** The pages of a post that waits and had two other texts, and of one that is out. */
async function makeVersions(db: Db, actor: Actor, published: string): Promise<Record<string, string>> {
  const opening = 'The wall calendar in the site office has one red line.';
  const body = 'It marks the last day on which concrete can be ordered. Everybody who enters sees it first.';
  const content = `${opening}\n\n${body}\n\nIt says nothing about rain.`;
  const postId = await makeScheduledPost(db, actor, { content, dueAt: new Date(Date.now() + 86_400_000) });
  const others = [
    `${opening}\n\n${body} It costs one marker a year.\n\nWhich line does your calendar lack?`,
    'My own words, and nothing else.',
  ];
  for (const [at, text] of others.entries()) {
    const version = { content: text, hashtags: ['Planning', 'Sites'], made: null };
    const key = { postId, userId: actor.userId };
    await transact(db, (trx) => storeVersion(trx, key, version, new Date(Date.now() - at * 60_000)));
  }
  const underWay = await makeScheduledPost(db, actor, {
    content,
    dueAt: new Date(Date.now() + 2 * 86_400_000),
  });
  const leaseUntil = new Date(Date.now() + 3_600_000);
  const run = { status: 'running' as const, requested: 0, instruction: 'Open with the letter', leaseUntil };
  await db
    .insertInto('generationRuns')
    .values({ userId: actor.userId, postId: underWay, createdAt: new Date(), ...run })
    .execute();
  return {
    rewriting: `/app/posts/${postId}/versions`,
    'rewriting-under-way': `/app/posts/${underWay}/versions`,
    'rewriting-over': `/app/posts/${published}/versions`,
  };
}

test('somebody whose posts came to every end', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const [there, unlinked, unconfirmed, , late] = await makeHistory(db, actor);
  await look(page, {
    'posts-ends': '/app/posts',
    'posts-numbers': `/app/posts?numbers=${there}`,
    'posts-delete': `/app/posts?confirm-delete=${unlinked}`,
    'scheduled-watched': `/app/scheduled?watch=${there},${unconfirmed},${late}`,
    ...(await makeVersions(db, actor, there!)),
  });
});

/** A page of topics with all that can stand on their cards. */
async function makeTopics(db: Db, actor: Actor) {
  const make = async (name: string, description: string, change: object = {}) => {
    const { id } = await makeTopic(db, actor, name);
    await db
      .updateTable('topics')
      .set({ description, ...change })
      .where('id', '=', id)
      .execute();
    return id;
  };
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
  const asked = { isForTopic: true, requested: 1, userId: actor.userId };
  await make('Saying no early', 'Why a quick no is kinder than a slow maybe.');
  const writing = await make('Calm handovers', 'What the next shift has to know, and nothing else.');
  const written = await make('Memos that get read', '', { lastUsedAt: inDays(-1), lastTurnAt: inDays(-1) });
  const refused = await make('Numbers in meetings', 'Which three figures a team looks at each week.');
  const until = { pausedAt: new Date(), pausedUntil: inDays(7) };
  await make('Hiring in spring', 'How we read applications, and what we answer.', until);
  await make('Old machines', 'What twenty years of maintenance taught us.', { isActive: false });
  const failed = await make('A word that the rules rule out and that is long enough for two lines', '');
  const why = 'the writer’s rules on content rule it out. Other words in its name or description may help';
  await failTopic(db, failed, why);
  const postId = await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  const error =
    'A post about "Numbers in meetings" was not good enough: its first line says nothing concrete';
  const over = { status: 'complete', finishedAt: new Date() } as const;
  const runs = [
    // A worker that finds it would write it.
    { ...asked, topicId: writing, status: 'running', leaseUntil: inDays(1) } as const,
    { ...asked, topicId: written, ...over, done: 1 },
    { ...asked, topicId: refused, ...over, failed: 1, error },
  ];
  for (const run of runs) {
    const { id } = await db
      .insertInto('generationRuns')
      .values(run)
      .returning('id')
      .executeTakeFirstOrThrow();
    if (run.topicId !== written) continue;
    await db
      .updateTable('posts')
      .set({ topicId: written, runId: id, runIndex: 0 })
      .where('id', '=', postId)
      .execute();
  }
  return { failed, written };
}

test('somebody with topics in every state', async ({ page, context, db }) => {
  const actor = await makePublisher(db, sandboxUrl(), 2);
  const { failed, written } = await makeTopics(db, actor);
  await signInAs(context, db, actor);
  await look(page, {
    'topics-states': '/app/topics',
    'topics-edit': `/app/topics?edit=${failed}`,
    'topics-pause': `/app/topics?pause=${written}`,
    'topics-deactivate': `/app/topics?confirm-deactivate=${written}`,
    'topics-delete': `/app/topics?confirm-delete=${written}`,
  });
  await saveSettings(db, actor, { enabled: false });
  await look(page, { 'topics-off': '/app/topics' });
  const free = await makeUser(db);
  for (const name of ['Calm handovers', 'Saying no early']) await makeTopic(db, free, name);
  await signInAs(context, db, free);
  await look(page, { 'topics-free': '/app/topics' });
});

/** Ten posts about a topic that were approved as they were written. */
async function makeTrusted(db: Db, actor: Actor) {
  const { id: topicId } = await makeTopic(db, actor, 'Calm handovers');
  await saveSettings(db, actor, { requireApproval: true });
  for (let nth = 0; nth < 10; nth += 1) {
    const at = new Date(Date.now() - (nth + 1) * 86_400_000);
    const id = await makeScheduledPost(db, actor, { dueAt: at });
    await db.updateTable('posts').set({ topicId, createdAt: at }).where('id', '=', id).execute();
    await standAs(db, id, { status: 'published', approvedAt: at, postedAt: at });
    await takeOut(db, id);
  }
}

test('somebody who is asked by mail', async ({ page, context, db }) => {
  const actor = await makePublisher(db, sandboxUrl());
  const linkTo = await approvalLinks(db, actor.userId, new Date());
  const content = `Nobody reads a plan of forty pages.\n\nI asked five teams what they had read of theirs.\n\nMost had read the first page, and one had read none.\n\nSo we wrote ours on a postcard. ${newName()}`;
  const make = async (standing: Parameters<typeof standAs>[2], revision = 0) => {
    const dueAt = new Date(Date.now() + 2 * 86_400_000);
    const id = await makeScheduledPost(db, actor, { dueAt, content });
    await standAs(db, id, standing);
    const plain = composedOf(content);
    const draft = { ...plain.draft, claims: [{ text: 'So we wrote ours on a postcard.', fact: null }] };
    const composed = { ...plain, draft, score: 35, reasons: ['Opens with a concrete thing'] };
    await transact(db, (trx) => storeBrief(trx, { postId: id, userId: actor.userId }, composed, new Date()));
    const { pathname, search } = new URL(linkTo({ id, revision }, dueAt));
    return pathname + search;
  };
  await look(page, {
    'by-mail': await make({ status: 'pending' }),
    'by-mail-changed': await make({ status: 'pending' }, 1),
    'by-mail-approved': await make({ status: 'generated' }),
  });
  await signInAs(context, db, actor);
  await look(page, { 'scheduled-asked': '/app/scheduled' });
  await makeTrusted(db, actor);
  await look(page, { 'dashboard-offer': '/app/dashboard', 'scheduled-offer': '/app/scheduled' });
});

/** A month in which the writer was asked much, of two people, and what came of some runs. */
async function makeWriterUsage(db: Db) {
  const [much, little] = [
    await makeUser(db, { name: 'Ravi Subramanian' }),
    await makeUser(db, { name: 'Jo Field' }),
  ];
  const dayOf = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  for (let ago = 0; ago < 30; ago += 1) {
    if (ago % 7 === 5) continue;
    const tokens = {
      inputTokens: `${3_100_000 + 210_000 * (ago % 9)}`,
      outputTokens: `${410_000 + 31_000 * (ago % 5)}`,
    };
    const day = { day: dayOf(ago), calls: 900 + 2_350 * (ago % 8), ...tokens };
    await db
      .insertInto('writerDays')
      .values(day)
      .onConflict((at) => at.column('day').doUpdateSet(day))
      .execute();
  }
  const calls = { day: dayOf(0), inputTokens: '1850000', outputTokens: '224000' };
  await db
    .insertInto('writerCalls')
    .values([
      { ...calls, userId: much.userId, calls: 540 },
      { ...calls, userId: little.userId, calls: 3, inputTokens: '900', outputTokens: '45' },
    ])
    .execute();
  const run = { userId: much.userId, model: 'gpt-5-mini', inputTokens: 41_200, outputTokens: 6_050 };
  const error =
    'A post about "Remote onboarding" was not good enough: it says what nobody gave; its first line does not stand by itself';
  await db
    .insertInto('generationRuns')
    .values([
      { ...run, requested: 2, done: 1, failed: 1, status: 'complete', error },
      { ...run, requested: 3, status: 'running', scheduledFor: new Date() },
      { ...run, userId: little.userId, requested: 1, done: 1, status: 'complete' },
    ])
    .execute();
}

/** Payments that wait, one for long, with a picture, and as an upgrade that moves another plan; and what others came to. */
async function makeDesk(db: Db) {
  const ago = (days: number) => new Date(Date.now() - days * 86_400_000);
  const payer = await makeUser(db, { name: 'Ravi Subramanian', timeZone: 'Asia/Kolkata' });
  await makePlan(db, payer, 2, ago(12));
  await makePlan(db, payer, 1, ago(11), { upgradeType: 'next_billing' });
  const { id } = await makePayment(db, payer, 3, ago(0.9), { upgradeType: 'immediate' });
  const picture = await screenshotOf(await pictureOf('webp'));
  await transact(db, (trx) => storeScreenshot(trx, id, picture));
  const longest = 'Wilhelmina Oberlechner-Winterstein of the Northern Lighthouse Company';
  await makePayment(db, await makeUser(db, { name: longest }), 5, ago(0.1), { currencyCode: 'INR' });
  const admin = await makeUser(db, { isAdmin: true, name: 'Ines Okafor' });
  const turnedDown = await makePayment(db, await makeUser(db, { name: 'Jo Field' }), 4, ago(2));
  await transact(db, (trx) => storeScreenshot(trx, turnedDown.id, picture));
  await rejectPayment(db, admin, { paymentId: turnedDown.id, reason: REJECT_REASONS.unknown }, ago(1.5));
  await makePlan(db, await makeUser(db, { name: 'Mara Lindqvist' }), 1, ago(75), { currencyCode: 'EUR' });
  const most = await makePlan(db, await makeUser(db, { name: 'Hessa Al Suwaidi' }), 5, ago(40), {
    currencyCode: 'AED',
  });
  const sums = { amountMinor: 1_198_765_432, fullPriceMinor: 2_147_483_647 };
  await db.updateTable('payments').set(sums).where('id', '=', most.id).execute();
  const lost = { postsPerDay: 2, currencyCode: 'AED', upgradeType: null };
  const late = await makeUser(db, { name: 'Noor Haddad' });
  const { reference } = await prepare(db, late, lost, ago(4));
  const { id: requestId } = await db
    .selectFrom('paymentRequests')
    .select('id')
    .where('reference', '=', reference)
    .executeTakeFirstOrThrow();
  const mailId = turnedDown.id;
  const dead = await makeDeadJob(db, 'send-mail', { mailId }, 'connect ECONNREFUSED 10.0.0.12:587');
  await makeDeadJob(db, 'refit-queue', { userId: payer.userId }, 'deadlock detected');
  await sql`insert into linkedin_days (day, resource, calls, limit_at) values
    ((now() at time zone 'utc')::date, 'posts', 812, null), ((now() at time zone 'utc')::date - 1, 'posts', 1000, 1000)
    on conflict do nothing`.execute(db);
  const takeIn = `/app/admin/ledgers/${late.userId}?take=${requestId}`;
  return { payer, admin, id, decided: turnedDown.id, takeIn, dead };
}

test('admins', async ({ page, context, db }) => {
  const { payer, admin, id, decided, takeIn, dead } = await makeDesk(db);
  await signInAs(context, db, admin);
  await look(page, {
    admin: '/app/admin',
    'admin-payments': '/app/admin?tab=payments',
    'admin-verify': `/app/admin?tab=payments&confirm-verify=${id}`,
    'admin-reject': `/app/admin?tab=payments&reject=${id}`,
    'admin-decided': `/app/admin?tab=payments&reject=${decided}`,
    'admin-subscriptions': '/app/admin/subscriptions',
    'admin-subscriptions-none': '/app/admin/subscriptions?q=nobody&status=active',
    'admin-revenue': '/app/admin/revenue',
    'admin-ledger': `/app/admin/ledgers/${payer.userId}`,
    'admin-take-in': takeIn,
    'admin-ledger-empty': `/app/admin/ledgers/${admin.userId}`,
    audit: '/app/admin/audit',
    'admin-publishing': '/app/admin/publishing',
    'admin-operations': '/app/admin/operations',
    'admin-operations-dead': '/app/admin/operations/list?of=dead',
    'admin-operations-discard': `/app/admin/operations/list?of=dead&discard=${dead}`,
    'admin-operations-mails': '/app/admin/operations/list?of=mails',
    'admin-operations-days': '/app/admin/operations/list?of=linkedin',
    'admin-operations-none': '/app/admin/operations/list?of=unknown',
  });
  await makeWriterUsage(db);
  await look(page, {
    'admin-writing': '/app/admin/writing',
    'admin-replies-none': '/app/admin/saved-replies',
  });
  const reply = await saveReply(db, admin, {
    replyId: null,
    title: 'How to get a refund of a month that was not used',
    message: 'Hello {name},\n\nthank you for {number}. A month is refunded when none of its posts went out.',
  });
  const replies = '/app/admin/saved-replies';
  await look(page, {
    'admin-replies': replies,
    'admin-replies-edit': `${replies}?edit=${reply.id}`,
    'admin-replies-delete': `${replies}?confirm-delete=${reply.id}`,
  });
});

/** Visits and clicks of a few days, and people with posts. */
async function makeSeen(db: Db): Promise<{ author: Actor; name: string }> {
  const name = newName();
  const author = await makeUser(db, { name: `Maximiliane ${name}` });
  await makePlan(db, author, 3);
  for (let nth = 0; nth < 4; nth += 1)
    await makeScheduledPost(db, author, { content: `What ${name} learned about planning in ${nth} weeks` });
  for (let nth = 0; nth < 6; nth += 1) await makeUser(db, { name: `Person${nth} ${name}` });
  await makeUser(db, { name: `Admin ${name}`, isAdmin: true });
  await sql`insert into visit_days (day, kind, value, visits, visitors)
    select current_date - days, kind, value, visits * (days + 1), visits from generate_series(0, 2) as days, (values
      ('all', '', 4900), ('country', 'DE', 2100), ('country', 'IN', 1800), ('country', '', 40), ('city', 'Berlin, DE', 900),
      ('device', 'Mobile', 3100), ('device', 'Desktop', 1800), ('browser', 'Chrome', 3000), ('browser', 'Safari', 1200),
      ('system', 'Android', 2000), ('system', 'Windows', 1500), ('page', '/', 3000), ('page', '/login', 800),
      ('page', '/signup', 600), ('page', '/app/dashboard', 500), ('page', '/app/posts/:id', 90), ('page', '/help', 60),
      ('page', '/terms', 40), ('page', '/privacy', 30), ('page', '/app/topics', 20), ('page', '/app/voice', 10)
    ) as seen (kind, value, visits) on conflict do nothing`.execute(db);
  await sql`insert into visit_totals (kind, value, visits, visitors)
    select kind, value, sum(visits), sum(visitors) from visit_days group by kind, value on conflict do nothing`.execute(
    db,
  );
  await sql`insert into visits (visited_at, address, is_whole, session_id, is_returning, page, country, city, device,
      browser, system, language)
    select now() - nth * interval '7 minutes', ('2001:db8:85a3::8a2e:370:' || nth)::inet, true, 'seen', false,
      '/app/posts/:id/versions', 'DE', '', 'Desktop', 'Firefox', 'Windows', 'de'
    from generate_series(1, 15) as nth`.execute(db);
  await sql`insert into visit_addresses (address, visits, last_visit_at, country, city, devices, browsers)
    select ('10.0.7.' || nth)::inet, nth * 31, now() - nth * interval '1 hour', 'IN', '',
      jsonb_build_object('Mobile', now(), 'Desktop', now()), jsonb_build_object('Chrome', now(), 'Safari', now())
    from generate_series(1, 10) as nth on conflict do nothing`.execute(db);
  await sql`insert into email_clicks (address, campaign, page, device, browser, system, clicked_at, hour)
    select 'reader' || nth % 5 || '@a-company-with-a-long-name.example', 'planEnding', '/app/payments', 'Mobile', 'Safari', 'iOS',
      now() - nth * interval '2 hours', date_trunc('hour', now() - nth * interval '2 hours')
    from generate_series(1, 14) as nth on conflict do nothing`.execute(db);
  return { author, name };
}

test('the tabs of admins', async ({ page, context, db }) => {
  const { author, name } = await makeSeen(db);
  await signInAs(context, db, await makeUser(db, { isAdmin: true, name: 'Ines Okafor' }));
  await look(page, {
    'admin-email': '/app/admin?tab=email',
    'admin-visits': '/app/admin?tab=visits',
    'admin-visits-today': '/app/admin?tab=visits&span=today',
    'admin-trends': '/app/admin/trends',
    'admin-trends-week': '/app/admin/trends?days=7',
    'admin-trends-all': '/app/admin/trends?days=90',
    'admin-users': `/app/admin?tab=users&q=${name}`,
    'admin-users-open': `/app/admin?tab=users&q=${name}&user=${author.userId}`,
    'admin-users-none': '/app/admin?tab=users&q=nobody-like-that',
    'admin-person': `/app/admin/users/${author.userId}`,
    'admin-person-disable': `/app/admin/users/${author.userId}?dialog=disable`,
    'admin-person-extend': `/app/admin/users/${author.userId}?dialog=extend`,
  });
});

test('a page that fits does not scroll', async ({ page, context, db }) => {
  const scrolledBy = () => page.evaluate(() => document.documentElement.scrollHeight - innerHeight);
  const sizes = [
    [PHONE, 844],
    [820, 1180],
    [1366, 768],
  ] as const;
  const look = async (addresses: string[], from = 0, to: number = sizes.length) => {
    for (const [width, height] of sizes.slice(from, to)) {
      await page.setViewportSize({ width, height });
      for (const address of addresses) {
        await page.goto(address);
        if (address.endsWith('/login')) await expect(page.getByText('Sign in with a passkey')).toBeVisible();
        expect.soft(await scrolledBy(), `${address} at ${width}`).toBe(0);
      }
    }
  };
  // Passkeys, and the button for them, need a name.
  const login = new URL('/login', process.env.E2E_APP_URL);
  login.hostname = 'localhost';
  await look([login.href]);
  await look(['/signup'], 0, 2);
  await signInAs(context, db, await makeUser(db));
  await look(['/app/posts', '/app/payments', '/app/admin']);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  // On a phone the tabs of admins take several lines.
  await look(['/app/admin/publishing'], 1);
});

test('the keyboard alone is enough', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  for (const address of ['/', '/app/topics']) {
    await page.goto(address);
    await page.keyboard.press('Tab');
    const skip = page.getByRole('link', { name: 'Skip to content' });
    await expect(skip).toBeFocused();
    await expect(skip).toBeInViewport();
    await page.keyboard.press('Enter');
    await expect(page).toHaveURL(/#main$/);
  }
  const opener = page.getByRole('link', { name: 'Add topic' });
  await opener.focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add a topic' });
  await expect(dialog.getByLabel('Name')).toBeFocused();
  const isInside = () => page.evaluate(() => document.activeElement?.closest('dialog') !== null);
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press('Tab');
    // The browser's own frame may have its turn between the last and the first field.
    const isOnPage = await page.evaluate(() => document.activeElement !== document.body);
    if (isOnPage) expect(await isInside()).toBe(true);
  }
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(page).toHaveURL(/\/app\/topics$/);
  await expect(opener).toBeFocused();
});
