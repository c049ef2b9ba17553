import type { Page } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import { makePublished, makeShownAuthor } from '#tests/fixtures/published-posts.ts';
import { expect } from './kit.ts';

/** As many posts as the page shows at most, the newest first: those of other journeys are older. */
export async function showPosts(db: Db): Promise<void> {
  const { count } = await db
    .selectFrom('users')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('showsPostsSince', 'is not', null)
    .executeTakeFirstOrThrow();
  for (let nth = Number(count); nth < 9; nth += 1) {
    const content = `Note ${nth}. ${'The plan that gets read fits on a postcard. '.repeat(8)}`;
    await makePublished(db, await makeShownAuthor(db), {
      content,
      hashtags: ['One', 'Two', 'Three', 'Four'],
    });
  }
}

export const list = (page: Page) => page.locator('.shown-posts');
const left = (page: Page) => list(page).evaluate((element) => Math.round(element.scrollLeft));
const step = (page: Page) =>
  list(page).evaluate(({ children: [one, other] }) => {
    const [first, second] = [one as HTMLElement, other as HTMLElement];
    return second.offsetLeft - first.offsetLeft;
  });
/** Which post stands at the beginning of the row, once it has come to rest. */
export const first = async (page: Page) => Math.round((await left(page)) / (await step(page)));
export const isAt = (page: Page, place: number) => expect.poll(() => first(page)).toBe(place);

export async function openPosts(page: Page, db: Db, width = 1366) {
  await showPosts(db);
  await page.setViewportSize({ width, height: 844 });
  await page.goto('/');
  await list(page).scrollIntoViewIfNeeded();
}
