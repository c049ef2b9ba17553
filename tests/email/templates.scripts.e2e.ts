import axe from 'axe-core';
import { renderMail } from '#app/domain/email/render/render.ts';
import { type MailKind, mailText } from '#app/domain/email/templates/templates.ts';
import { MAIL_EXAMPLES } from '#scripts/mails/examples.ts';
import { PASSWORD } from '#tests/fixtures/accounts.ts';
import { codeMailedTo, expect, newEmail, sandboxUrl, test } from '#tests/harness/e2e/kit.ts';

const WIDTHS = [320, 390, 600, 1000];
const PICTURES = [390, 700];
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'];
const STOP = 'https://app.tidepost.example/unsubscribe?from=topics&key=0195f4e2';
const kinds = Object.keys(MAIL_EXAMPLES) as MailKind[];

const LONG = 'Wolfeschlegelsteinhausenbergerdorff'.repeat(4);
/** A mail whose texts are words without an end. */
const endless = {
  subject: LONG,
  lines: [
    `Hello ${LONG},`,
    { quote: LONG },
    { facts: [[LONG.slice(0, 40), LONG]] as [string, string][] },
    { code: '048213' },
    { label: LONG, url: `https://app.tidepost.example/${LONG}` },
  ],
  button: { label: LONG, url: `https://app.tidepost.example/${LONG}` },
};

const mails = new Map([
  ...kinds.map((kind) => [kind as string, mailText(kind, MAIL_EXAMPLES[kind] as never)] as const),
  ['endless', endless],
]);

test.describe.configure({ mode: 'parallel' });

for (const scheme of ['light', 'dark'] as const) {
  test(`every mail can be read in the ${scheme} theme, on a phone and on a desk`, async ({ page }, info) => {
    info.setTimeout(240_000);
    await page.emulateMedia({ colorScheme: scheme });
    for (const [kind, mail] of mails) {
      await page.setViewportSize({ width: 1000, height: 900 });
      await page.setContent(renderMail(mail, STOP).html);
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        const [across, card] = await page.evaluate(() => [
          document.documentElement.scrollWidth,
          document.querySelector('.card')!.getBoundingClientRect().width,
        ]);
        expect(across, `${kind} at ${width}`).toBeLessThanOrEqual(width);
        expect(card, `${kind} at ${width}`).toBeLessThanOrEqual(600);
      }
      await page.evaluate(axe.source);
      const { violations, passes } = await page.evaluate(
        (values) => window.axe.run(document, { runOnly: values }),
        RULES,
      );
      expect(
        violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
        kind,
      ).toEqual([]);
      expect(passes.map(({ id }) => id)).toContain('color-contrast');
      const background = await page.evaluate(
        () => getComputedStyle(document.querySelector('.card')!).backgroundColor,
      );
      expect(background).toBe(scheme === 'dark' ? 'rgb(16, 30, 38)' : 'rgb(255, 255, 255)');
      if (!process.env.PICTURES) continue;
      for (const width of PICTURES) {
        await page.setViewportSize({ width, height: 500 });
        await page.screenshot({ path: `test-results/mails/${kind}-${width}-${scheme}.png`, fullPage: true });
      }
    }
  });
}

test('a time zone stands on one line of a mail, and an address without an end still breaks', async ({
  page,
}) => {
  const zones = ['Europe/Paris', 'America/New York', 'America/Argentina/Buenos Aires', 'Etc/GMT+5'];
  const times = zones.map((zone) => `Tue, Mar 3, 09:00 (${zone})`);
  const address = `${LONG}@example.com`;
  const facts = [...times.map((time): [string, string] => ['Time', time]), ['Address', address]] as [
    string,
    string,
  ][];
  const lines = [{ facts }, ...times.map((time) => `Your post of ${time} has not gone out yet, ${address}.`)];
  await page.setContent(renderMail({ subject: 'Times', lines }).html);
  /** On how many lines each text that is found stands. */
  const linesOf = (found: string[]) =>
    page.evaluate((found) => {
      const walk = document.createTreeWalker(document.querySelector('.card')!, NodeFilter.SHOW_TEXT);
      const counted: [string, number][] = [];
      for (let node = walk.nextNode(); node; node = walk.nextNode()) {
        for (const text of found.filter((each) => node!.textContent!.includes(each))) {
          const range = document.createRange();
          range.setStart(node, node.textContent!.indexOf(text));
          range.setEnd(node, node.textContent!.indexOf(text) + text.length);
          const tops = [...range.getClientRects()].map(({ top }) => Math.round(top));
          counted.push([text, new Set(tops).size]);
        }
      }
      return counted;
    }, found);
  for (const width of [...WIDTHS, 345, 360, 375, 412, 430]) {
    await page.setViewportSize({ width, height: 900 });
    // The longest name of all is longer than what the name of a fact leaves of a line of the narrowest screens.
    const fitting = zones.filter((zone) => width >= 375 || zone.length < 20);
    const inTwo = (await linesOf(fitting)).filter(([, count]) => count !== 1);
    expect(inTwo, `at ${width}`).toEqual([]);
    expect((await linesOf(zones)).length).toBe(2 * zones.length);
    const broken = await linesOf([address]);
    expect(broken.every(([, count]) => count > 1) && broken.length === 5, `at ${width}`).toBe(true);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
});

test('what a fact is called is broken between its words alone', async ({ page }) => {
  for (const kind of kinds) {
    const mail = mailText(kind, MAIL_EXAMPLES[kind] as never);
    if (!mail.lines.some((line) => typeof line === 'object' && 'facts' in line)) continue;
    await page.setContent(renderMail(mail).html);
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const broken = await page.evaluate(() =>
        [...document.querySelectorAll('th')].flatMap(({ firstChild }) =>
          [...firstChild!.textContent!.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
            const range = document.createRange();
            range.setStart(firstChild!, index);
            range.setEnd(firstChild!, index + word.length);
            return range.getClientRects().length === 1 ? [] : [word];
          }),
        ),
      );
      expect(broken, `${kind} at ${width}`).toEqual([]);
    }
  }
});

test('a mail that arrives is shown with both of its parts, in either theme', async ({ page }) => {
  const email = newEmail();
  await page.goto('/signup');
  await page.getByLabel('Full name').fill('Ada Marlow');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
  const code = await codeMailedTo(email);
  await page.goto(`${sandboxUrl()}/inbox`);
  await page.getByRole('link', { name: code }).first().click();
  const mail = page.frameLocator('iframe');
  await expect(mail.getByRole('heading', { name: 'Verify your address' })).toBeVisible();
  await expect(mail.locator('.card')).toHaveCSS('background-color', 'rgb(255, 255, 255)');
  await expect(page.locator('pre')).toContainText(code);
  await page.getByRole('link', { name: 'Dark' }).click();
  await expect(mail.locator('.card')).toHaveCSS('background-color', 'rgb(16, 30, 38)');
  await expect(mail.getByRole('link', { name: 'Verify this address' })).toHaveAttribute(
    'href',
    /\/verify-email\?token=/,
  );
});
