import type { BrowserContext } from '@playwright/test';
import type { Db } from '#app/db/client.ts';
import { slotKeyOfPost } from '#app/domain/automation/slots.ts';
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { weekOf } from '#app/routes/posts/calendar/range.ts';
import { makePublisher, makeScheduledPost, readPost } from '#tests/fixtures/posts.ts';
import { sandboxUrl, signInAs } from './kit.ts';

/** A Monday far enough for a whole week to come. */
export const monday = () => {
  const today = Temporal.Now.plainDateISO('UTC');
  return today.add({ days: 15 - today.dayOfWeek });
};

/** Somebody with posts on the Monday and the Wednesday of a week to come, at 09:00, and its page. */
export async function aWeek(context: BrowserContext, db: Db) {
  const actor = { ...(await makePublisher(db, sandboxUrl(), 2)), timeZone: 'UTC' };
  await saveSettings(db, actor, { timeZone: 'UTC', publishTimes: ['09:00', '14:00'] });
  await signInAs(context, db, actor);
  const make = (days: number, content: string) =>
    makeScheduledPost(db, actor, { content, dueAt: new Date(`${monday().add({ days })}T09:00:00Z`) });
  const [one, other] = [await make(0, 'One.'), await make(2, 'Other.')];
  const slotOf = async (id: string) => slotKeyOfPost(await readPost(db, id));
  return { actor, one, other, slotOf, page: `/app/scheduled?view=week&week=${weekOf(monday())}` };
}
/** A slot of that week as pages name it: days from its Monday, and its number of the day. */
export const slot = (days: number, number: number) => `${monday().add({ days })} ${number}`;
