import { randomBytes, randomUUID } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test';
import { createCookie } from 'react-router';
import { createDatabase, type Db } from '#app/db/client.ts';
import { createSession } from '#app/domain/accounts/sign-in/sessions.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { ROOT } from '#scripts/run.ts';
import { makePublisher } from '#tests/fixtures/posts.ts';

export { expect } from '@playwright/test';

type Product = { db: Db };

/** Tests against the running product. `db` makes what a journey needs but does not tell about. */
export const test = base.extend<object, Product>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of fixtures from the pattern.
  baseURL: async ({}, use) => use(process.env.E2E_APP_URL),
  db: [
    // biome-ignore lint/correctness/noEmptyPattern: as above.
    async ({}, use) => {
      const { db } = createDatabase(process.env.E2E_DATABASE_URL!, 2);
      await use(db);
      await db.destroy();
    },
    { scope: 'worker' },
  ],
});

export const sandboxUrl = () => process.env.E2E_SANDBOX_URL!;

/** A call of the sandbox's own API. */
export async function sandbox(method: 'GET' | 'POST', path: string, body?: object) {
  const headers = { 'Content-Type': 'application/json' };
  const answer = await fetch(`${sandboxUrl()}/api/${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`The sandbox answered ${answer.status} to ${path}`);
  return answer.status === 204 ? undefined : await answer.json();
}

/** An address nobody else has. */
export const newEmail = () => `${randomUUID()}@people.example`;

/** A made-up surname, to tell the things of one run from those of another. */
export const newName = () =>
  `Q${[...randomBytes(7)].map((byte) => String.fromCharCode(97 + (byte % 26))).join('')}`;

export type Mail = { messageId: string; subject: string; text: string; html: string };

/**
 * The mail to an address with such a subject. Mails arrive in any order, so where several have the same subject the
 * caller names those that it has `seen` already. Waits for it: a mail that could not be sent at first is tried again,
 * later each time.
 */
export async function mailTo(email: string, subject: RegExp, seen: Mail[] = []): Promise<Mail> {
  let found: Mail[] = [];
  const look = async () => {
    const { mails }: { mails: Mail[] } = await sandbox('GET', `mails?to=${encodeURIComponent(email)}`);
    found = mails.filter(
      (mail) => subject.test(mail.subject) && !seen.some(({ messageId }) => messageId === mail.messageId),
    );
    return found.length;
  };
  await expect.poll(look, { timeout: 120_000 }).toBeGreaterThan(0);
  expect(found, `one mail to ${email} whose subject matches ${subject}`).toHaveLength(1);
  return found[0]!;
}

/** The first link in a mail. */
export const linkIn = ({ text }: Mail) => /https?:\/\/\S+/.exec(text)![0];

const CODE = /^(\d{6}) is your (?:code|Tidepost code)/;

/** The code that was mailed to an address. */
export const codeMailedTo = async (email: string) => CODE.exec((await mailTo(email, CODE)).subject)![1]!;

/** Whether the browser of this test runs scripts. */
export const hasScripts = () => test.info().project.use.javaScriptEnabled !== false;

/** Types the code into the boxes. Scripts send it with the sixth digit; without them the button does. */
export async function enterCode(page: Page, code: string, buttonName = 'Verify Email'): Promise<void> {
  const button = page.getByRole('button', { name: buttonName, exact: true });
  if (hasScripts()) await expect(button).toBeDisabled();
  for (const [index, digit] of [...code].entries()) await page.getByLabel(`Digit ${index + 1}`).fill(digit);
  if (!hasScripts()) await button.click();
}

/** Signs the browser in as the actor, without the form. */
export async function signInAs(context: BrowserContext, db: Db, actor: Actor): Promise<void> {
  const { token } = await createSession(db, actor.userId, 'web', 'browser tests');
  const line = await createCookie('tidepost').serialize(token);
  const value = line.slice('tidepost='.length).split(';')[0]!;
  await context.addCookies([{ name: 'tidepost', value, url: process.env.E2E_APP_URL! }]);
}

/** Signs the browser in as somebody with a plan whose posts go to the sandbox. */
export async function signInAsPublisher(context: BrowserContext, db: Db): Promise<Actor> {
  const actor = await makePublisher(db, sandboxUrl());
  await signInAs(context, db, actor);
  return actor;
}

export const notice = (page: Page, text: string) =>
  page.getByRole('status', { name: 'Notices' }).getByText(text);

/** The card of a list that shows a text. */
export const cardWith = (page: Page, text: string) =>
  page.getByRole('main').getByRole('listitem').filter({ hasText: text });

/** Opens a page and waits until its scripts, if there are any, count: before that the browser answers keys and sends forms by itself. */
export async function open(page: Page, address: string): Promise<void> {
  await page.goto(address, { waitUntil: 'networkidle' });
  if (!hasScripts()) return;
  await page.waitForFunction(
    () =>
      Object.keys(document.body).some((key) => key.startsWith('__react')) &&
      !document.querySelector('dialog[open]:not(:modal)'),
  );
}

/** The scripts of what stands below the posts come when its reader does something. */
export async function wake(page: Page, button: string) {
  let x = 9;
  await expect
    .poll(async () => {
      // Nobody hears one that comes before the first scripts.
      await page.mouse.move(x++, 9);
      return page.getByRole('button', { name: button }).evaluate((element) => Object.keys(element).join());
    })
    .toContain('__react');
}

/** Opens the form of the settings by hand, unless it is open. */
export async function openSettings(page: Page): Promise<void> {
  const link = page.getByRole('link', { name: 'Change settings' });
  if (await link.isVisible()) await link.click();
  await expect(page.getByRole('button', { name: 'Save All Settings' })).toBeVisible();
}

/** Opens the line of a post of the queue to its card. */
export async function openLine(line: Locator): Promise<void> {
  const details = line.locator('details').first();
  if (!(await details.evaluate((element: HTMLDetailsElement) => element.open))) {
    await details
      .locator('summary')
      .first()
      .click({ position: { x: 40, y: 12 } });
  }
}

/** The path of the script of a route's page, by the id of the route in app/routes.ts. */
export function scriptOf(routeId: string): string {
  const [manifest] = globSync('build/client/assets/manifest-*.js', { cwd: ROOT });
  const text = readFileSync(path.join(ROOT, manifest!), 'utf8');
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)).routes[routeId].module;
}
