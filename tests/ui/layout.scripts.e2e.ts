import type { Locator, Page } from '@playwright/test';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost, standAs } from '#tests/fixtures/posts.ts';
import { makePublished, makeShownAuthor } from '#tests/fixtures/published-posts.ts';
import { expect, sandboxUrl, signInAs, signInAsPublisher, test } from '#tests/harness/e2e/kit.ts';

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const boxOf = async (locator: Locator) => (await locator.boundingBox())!;

const widthsOfHeadings = (page: Page) =>
  page.locator('.section-title, .statement').evaluateAll((headings) => headings.map((h) => h.clientWidth));

test('the headings of the start page are as wide before their font has come', async ({ page }) => {
  const held = Promise.withResolvers<void>();
  await page.route(/newsreader-latin-wght/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.setViewportSize({ width: 1366, height: 800 });
  await page.goto('/', { waitUntil: 'domcontentloaded' });
  const isThere = () => page.evaluate(() => document.fonts.check('600 44px "Newsreader Variable"'));
  expect(await isThere()).toBe(false);
  const before = await widthsOfHeadings(page);
  expect(before.length).toBeGreaterThan(5);
  held.resolve();
  await expect.poll(isThere).toBe(true);
  expect(await widthsOfHeadings(page)).toEqual(before);
});

test('a price in rupees fetches no letters beyond those of English', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  const fonts: string[] = [];
  page.on('request', (request) => {
    if (request.resourceType() === 'font') fonts.push(request.url());
  });
  await page.goto('/app/dashboard?dialog=subscribe');
  const dialog = page.getByRole('dialog', { name: 'Choose your plan' });
  await dialog.getByLabel('Currency').selectOption('INR');
  await expect(dialog.getByText(/₹[\d,]+/).first()).toBeVisible();
  await page.waitForLoadState('networkidle');
  expect(fonts.length).toBeGreaterThan(0);
  expect(fonts.filter((url) => url.includes('latin-ext'))).toEqual([]);
});

test('a name that begins with A stands apart from the word before it', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db, { name: 'Ada Marlow' }));
  await page.goto('/app/dashboard', { waitUntil: 'networkidle' });
  const space = await page.getByRole('heading', { name: 'Welcome, Ada' }).evaluate((heading) => {
    const text = [...heading.childNodes].find((node) => node.textContent!.includes(', '))!;
    const range = document.createRange();
    const at = text.textContent!.indexOf(', ') + 1;
    range.setStart(text, at);
    range.setEnd(text, at + 1);
    return range.getBoundingClientRect().width / Number.parseFloat(getComputedStyle(heading).fontSize);
  });
  expect(space).toBeGreaterThan(0.2);
});

test('the button that approves keeps clear of the line under its post, and begins where the text does', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(2) });
  await standAs(db, id, { status: 'pending', needsApproval: true });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/app/scheduled');
  const line = page.locator(`#post-${id}`);
  const approve = line.getByRole('button', { name: /^Approve/ });
  const clearance = await approve.evaluate((button) => {
    const below = button.closest('.line')!.getBoundingClientRect().bottom;
    const { bottom, height } = button.getBoundingClientRect();
    const drawn = getComputedStyle(button).backgroundClip === 'padding-box' ? button.clientTop : 0;
    return { drawn: below - bottom + drawn, height };
  });
  expect(clearance.drawn).toBeGreaterThanOrEqual(3);
  expect(clearance.height).toBeGreaterThanOrEqual(44);

  await page.goto('/app/posts');
  const text = await boxOf(line.locator('.post-body'));
  expect(Math.abs((await boxOf(approve)).x - text.x)).toBeLessThanOrEqual(1);
});

test.describe('on a tablet', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 820, height: 1180 } });

  test('a line of the queue shows how its post begins, and until when it has to be approved', async ({
    page,
    context,
    db,
  }) => {
    const actor = await signInAsPublisher(context, db);
    const content = 'Give a new colleague one small thing that ships in the first week.';
    const ready = await makeScheduledPost(db, actor, { dueAt: inDays(2), content });
    const asked = await makeScheduledPost(db, actor, {
      dueAt: inDays(3),
      content: 'Say what not to do yet.',
    });
    await standAs(db, asked, { status: 'pending', needsApproval: true });
    await page.goto('/app/scheduled');
    const hidden = (id: string, part: 'hook' | 'detail') =>
      page.locator(`#post-${id} .line-${part}`).evaluate((words) => {
        const shown = words.closest('.line-text')!.getBoundingClientRect().right;
        return Math.max(words.scrollWidth - words.clientWidth, words.getBoundingClientRect().right - shown);
      });
    await expect(page.locator(`#post-${asked}`)).toContainText('Needs your approval by');
    for (const width of [820, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      expect(await hidden(ready, 'hook')).toBeLessThanOrEqual(0);
      expect(await hidden(asked, 'detail')).toBeLessThanOrEqual(0);
    }
    const approve = await boxOf(page.locator(`#post-${asked}`).getByRole('button', { name: /^Approve/ }));
    const text = await boxOf(page.locator(`#post-${asked} .line-text`));
    expect(approve.y).toBeGreaterThanOrEqual(text.y + text.height);
  });

  test('the words on the button that opens the UPI app stand in one line', async ({ page, context, db }) => {
    await signInAs(context, db, await makeUser(db));
    await page.goto('/app/dashboard?dialog=subscribe&step=2&posts=3&currency=INR');
    const open = page.getByRole('link', { name: 'Open UPI App' });
    await expect(open).toBeVisible();
    expect((await boxOf(open)).height).toBeLessThanOrEqual(44);
    const over = await open.evaluate(
      (link) => link.getBoundingClientRect().right - link.parentElement!.getBoundingClientRect().right,
    );
    expect(over).toBeLessThanOrEqual(0);
  });
});

test('on a phone the next post is as wide as the buttons about it', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  await makeScheduledPost(db, actor, { dueAt: inDays(0.1) });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto('/app/dashboard');
  const preview = await boxOf(page.locator('.next-out .preview'));
  const edit = await boxOf(page.locator('.next-out-acts').getByRole('link', { name: 'Edit' }));
  expect([preview.x, preview.width]).toEqual([edit.x, edit.width]);
});

test('what is said of a day stands under its number', async ({ page, context, db }) => {
  await signInAsPublisher(context, db);
  await page.setViewportSize({ width: 1366, height: 800 });
  await page.goto('/app/scheduled?view=month');
  const apart = await page
    .locator('.cal-date small')
    .first()
    .evaluate((said) => {
      const textOf = (element: Element) => {
        const { paddingInlineStart } = getComputedStyle(element);
        return element.getBoundingClientRect().x + Number.parseFloat(paddingInlineStart);
      };
      return textOf(said) - textOf(said.parentElement!.querySelector('b')!);
    });
  expect(Math.abs(apart)).toBeLessThanOrEqual(1);
});

test('the buttons that end a move stand in one row on a phone', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(2) });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/app/scheduled?move=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Move this post' });
  const move = dialog.getByRole('button', { name: 'Move post' });
  const beside = await move.evaluate((button) => {
    const keep = button.previousElementSibling!;
    return {
      name: keep.textContent,
      lower: button.getBoundingClientRect().y - keep.getBoundingClientRect().y,
    };
  });
  expect(beside).toEqual({ name: 'Keep its time', lower: 0 });
  const foot = await boxOf(dialog.locator('.sticky'));
  expect(foot.height, 'nothing but them takes room from the times').toBeLessThan(75);
});

test('the way out of a swap stays in sight however many posts there are', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(2) });
  for (let day = 3; day < 12; day += 1) await makeScheduledPost(db, actor, { dueAt: inDays(day) });
  await page.setViewportSize({ width: 390, height: 480 });
  await page.goto(`/app/scheduled?swap=${id}`);
  const dialog = page.locator('dialog:modal');
  const keep = dialog.getByRole('link', { name: 'Keep its time' });
  await expect(keep).toBeInViewport({ ratio: 1 });
  await dialog.getByRole('button', { name: 'Swap' }).last().focus();
  await dialog.evaluate((box) => box.scrollTo(0, box.scrollHeight));
  await expect(dialog.getByRole('heading', { name: 'Swap this post' })).not.toBeInViewport();
  await expect(keep).toBeInViewport({ ratio: 1 });
});

test('on a wide screen what a card can do stands beside what it says', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db));
  await page.setViewportSize({ width: 1366, height: 800 });
  await page.goto('/app/account/data');
  const card = page.locator('#export');
  const [text, button] = [
    await boxOf(card.getByText('All that we keep of you')),
    await boxOf(card.locator('.btn')),
  ];
  expect(button.x).toBeGreaterThan(text.x + text.width);
});

test('a word as long as a line does not leave the dialog that takes its post off the start page', async ({
  page,
  context,
  db,
}) => {
  const id = await makePublished(db, await makeShownAuthor(db), { content: `Words. ${'m'.repeat(120)}` });
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto(`/app/admin/start-page?take-off=${id}`);
  const dialog = page.getByRole('dialog', { name: 'Take this post off the start page?' });
  await expect(dialog).toBeVisible();
  expect(await dialog.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('times that scroll past the buttons of a move do not come out below them', async ({
  page,
  context,
  db,
}) => {
  const actor = await signInAsPublisher(context, db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(2) });
  await page.emulateMedia({ reducedMotion: 'reduce' });
  for (const width of [390, 1366]) {
    await page.setViewportSize({ width, height: 480 });
    await page.goto(`/app/scheduled?move=${id}`);
    // Before the scripts it is as high as its times, and the page about it scrolls.
    const dialog = page.locator('dialog:modal');
    await expect(dialog).toContainText('Move this post');
    const uncovered = await dialog.evaluate((box) => {
      const foot = box.querySelector('.sticky')!;
      const { boxShadow } = getComputedStyle(foot);
      const covered = Number.parseFloat(/ 0px ([\d.]+)px/.exec(boxShadow)?.[1] ?? '0');
      const isPast = box.scrollHeight - box.clientHeight - box.scrollTop > 0;
      const end = box.getBoundingClientRect().bottom - box.clientTop;
      return { isPast, height: end - foot.getBoundingClientRect().bottom - covered };
    });
    expect(uncovered.isPast, 'there are more times than fit').toBe(true);
    expect(uncovered.height).toBeLessThanOrEqual(0.5);
  }
});

test('what ends an editor ends with the row that is edited', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(2) });
  await makeScheduledPost(db, actor, { dueAt: inDays(1) });
  for (const list of ['scheduled', 'posts']) {
    await page.goto(`/app/${list}?edit=${id}`);
    const row = page.locator(`#post-${id}`);
    const beyond = await row.locator('.editor-foot').evaluate((foot) => {
      const line = foot.closest('.line')!;
      line.scrollIntoView({ block: 'end' });
      return foot.getBoundingClientRect().bottom - line.getBoundingClientRect().bottom;
    });
    expect(Math.abs(beyond), list).toBeLessThanOrEqual(0.5);
  }
});

test('a day whose times need two rows stands beside the first of them', async ({ page, context, db }) => {
  const actor = await makePublisher(db, sandboxUrl(), 5);
  await signInAs(context, db, actor);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(2) });
  await page.goto(`/app/scheduled?move=${id}`);
  const dialog = page.locator('dialog:modal');
  const lower = await dialog.evaluate((box) => {
    const middle = (element: Element) => {
      const words = document.createRange();
      words.selectNodeContents(element);
      const { top, height } = words.getBoundingClientRect();
      return top + height / 2;
    };
    return [...box.querySelectorAll('fieldset')].flatMap((day) => {
      const tiles = [...day.querySelectorAll('label')];
      if (middle(tiles[0]!) === middle(tiles.at(-1)!)) return [];
      return [Math.abs(middle(day.querySelector('legend + span')!) - middle(tiles[0]!))];
    });
  });
  expect(lower, 'some day needs two rows').not.toEqual([]);
  expect(Math.max(...lower)).toBeLessThanOrEqual(2);
});

test('a row of the history is not tinted where its text fades into white', async ({ page, context, db }) => {
  const actor = await signInAsPublisher(context, db);
  const id = await makeScheduledPost(db, actor, { dueAt: inDays(2) });
  await page.goto('/app/posts');
  const row = page.locator(`#post-${id}`);
  await row.hover();
  expect(await row.evaluate((element) => getComputedStyle(element).backgroundColor)).toBe('rgba(0, 0, 0, 0)');
});

test('the rows of two-step sign-in leave no more room at the ends of their card than others do', async ({
  page,
  context,
  db,
}) => {
  await signInAs(context, db, await makeUser(db));
  await page.goto('/app/account/security');
  const roomBelow = (name: string) =>
    page
      .locator('section.card', { has: page.getByRole('heading', { name }) })
      .evaluate(
        (card) =>
          card.getBoundingClientRect().bottom -
          card.querySelector('ul')!.getBoundingClientRect().bottom +
          Number.parseFloat(getComputedStyle(card.querySelector('li:last-child')!).paddingBottom),
      );
  expect(await roomBelow('Two-step sign-in')).toBe(await roomBelow('Sign-in methods'));
});
