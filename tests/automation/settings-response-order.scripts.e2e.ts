import type { BrowserContext, Page, Route } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import { getSettings } from '#app/domain/automation/settings.ts';
import { makeTopic } from '#tests/fixtures/posts.ts';
import { expect, notice, open, signInAsPublisher, test, wake } from '#tests/harness/e2e/kit.ts';

type Passing = { answer(): Promise<void>; hand(): Promise<void> };

/**
 * One request: the server answers it, and hands that to the browser, each when the test says so. It is asked from
 * outside the browser, which takes no cookie of an answer that it gave up.
 */
function passing(route: Route): Passing {
  let response: Parameters<Route['fulfill']>[0];
  return {
    answer: async () => {
      const request = route.request();
      const answer = await fetch(request.url(), {
        method: request.method(),
        headers: await request.allHeaders(),
        body: request.postData(),
        redirect: 'manual',
      });
      const headers = Object.fromEntries(answer.headers);
      // It is read here.
      delete headers['content-encoding'];
      // Several cookies stand on lines of their own.
      headers['set-cookie'] = answer.headers.getSetCookie().join('\n');
      response = { status: answer.status, headers, body: await answer.text() };
    },
    // The page may have given it up.
    hand: () => route.fulfill(response).catch(() => {}),
  };
}

type Place = { page: Page; context: BrowserContext; db: Db };

/** Presses the switch and, before that is answered, "Save All Settings". The first page that is asked for then waits, too. */
async function pressBoth({ page, context, db }: Place, holdsPage: boolean) {
  const actor = await signInAsPublisher(context, db);
  await makeTopic(db, actor);
  await open(page, '/app/dashboard?settings');
  await wake(page, 'Save All Settings');
  await page.getByLabel('Publish time 1').fill('05:45');
  const [toggle, save, first] = [1, 2, 3].map(() => Promise.withResolvers<Passing>());
  let pagesHeld = holdsPage ? 0 : 1;
  await page.route(/\/(?:dashboard|toggle)\.data/, (route) => {
    const request = route.request();
    if (request.url().includes('toggle')) return toggle!.resolve(passing(route));
    if (request.method() === 'POST') return save!.resolve(passing(route));
    return pagesHeld++ ? route.continue().catch(() => {}) : first!.resolve(passing(route));
  });
  await page.getByRole('switch', { name: 'Active' }).click();
  const toggled = await toggle!.promise;
  await page.getByRole('button', { name: 'Save All Settings' }).click();
  return { actor, toggled, saved: await save!.promise, first: first!.promise };
}

const state = (page: Page) => page.getByRole('switch', { name: 'Paused' });
const times = (page: Page) => page.getByText('Every day, 05:45, UTC');

test('settings are told to be saved when the switch is answered before their page is', async ({
  page,
  context,
  db,
}) => {
  const { actor, toggled, saved, first } = await pressBoth({ page, context, db }, true);
  await toggled.answer();
  await saved.answer();
  await saved.hand();
  const shown = await first;
  await toggled.hand();
  await shown.answer();
  await shown.hand();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await expect(notice(page, 'Automation paused')).toBeVisible();
  await expect(times(page)).toBeVisible();
  await expect(state(page)).toBeVisible();
  const { publishTimes, enabled } = await getSettings(db, actor);
  expect({ publishTimes, enabled }).toEqual({ publishTimes: ['05:45'], enabled: false });
});

test('the page that follows the switch does not come over that of the settings', async ({
  page,
  context,
  db,
}) => {
  const { toggled, saved, first } = await pressBoth({ page, context, db }, true);
  await toggled.answer();
  await toggled.hand();
  const older = await first;
  await older.answer();
  await saved.answer();
  await saved.hand();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await older.hand();
  await page.waitForLoadState('networkidle');
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await expect(times(page)).toBeVisible();
  await expect(state(page)).toBeVisible();
  await expect(page.getByLabel('Publish time 1')).toHaveValue('05:45');
});

test('a switch that is answered after the settings are saved stays as it was pressed', async ({
  page,
  context,
  db,
}) => {
  const { toggled, saved } = await pressBoth({ page, context, db }, false);
  await saved.answer();
  await saved.hand();
  await expect(notice(page, 'Settings saved successfully!')).toBeVisible();
  await toggled.answer();
  await toggled.hand();
  await expect(notice(page, 'Automation paused')).toBeVisible();
  await expect(state(page)).toBeVisible();
  await expect(times(page)).toBeVisible();
});
