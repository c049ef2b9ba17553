import { type Db, type Trx, transact } from '#app/db/client.ts';
import { createSession, findSession } from '#app/domain/accounts/sessions.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-ups.ts';
import { findUserId, makeAdmin, setVoice } from '#app/domain/accounts/users.ts';
import type { Actor } from '#app/domain/actor.ts';
import { instantOf, localDateOf, localDayOf, type Slot } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { findWaitingMail, listWaitingMails, markMailSent } from '#app/domain/email/outbox.ts';
import type { Mails } from '#app/domain/email/templates.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import { quotePurchase } from '#app/domain/payments/quote.ts';
import { verifyPayment } from '#app/domain/payments/review.ts';
import { submitProof } from '#app/domain/payments/submit-proof.ts';
import { findFreeSlots } from '#app/domain/queue/free-slots.ts';
import { saveSettings } from '#app/domain/queue/refit.ts';
import { addPost, markPublished } from '#app/domain/queue/standing.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { DEMO_ADMIN, DEMO_USER } from './people.ts';
import { PUBLISHED_STORY, SCHEDULED_STORY, STORY_TOPICS, type StoryPost } from './story.ts';

const PUBLISH_TIMES = ['09:00', '14:00', '18:00'];
const VOICE = {
  headline: 'Operations lead, small teams that ship',
  voiceNotes: 'Short sentences. No jargon.',
};
const DAY_MS = 86_400_000;

/**
 * Makes a demo user in the middle of a story and a demo admin, through the same functions that people use.
 * Does nothing when they exist. Answers the demo user when it was made now.
 */
export async function makeDemo(db: Db, now = new Date()): Promise<Actor | undefined> {
  if (await findUserId(db, DEMO_USER.email)) return undefined;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const admin = await signUp(db, { ...DEMO_ADMIN, timeZone });
  await makeAdmin(db, DEMO_ADMIN.email);
  const user = await signUp(db, { ...DEMO_USER, timeZone });
  await setVoice(db, user.userId, VOICE);
  await buyPlan(db, user, { ...admin, isAdmin: true }, now);
  await saveSettings(db, user, { publishTimes: PUBLISH_TIMES, contentCreationTime: '07:00', timeZone }, now);
  await tellStory(db, user, now);
  // What led to the story is in nobody's inbox.
  for (const mailId of await listWaitingMails(db)) await markMailSent(db, mailId, now);
  return user;
}

type Person = { email: string; password: string; name: string; timeZone: string };

async function signUp(db: Db, person: Person): Promise<Actor> {
  const { signUpId } = await startSignUp(db, person);
  const [mailId] = await listWaitingMails(db, person.email);
  const { code } = (await findWaitingMail(db, mailId!))!.data as Mails['verifyEmail'];
  const { userId } = await verifySignUp(db, { email: person.email, otp: code, signUpId });
  const { token } = await createSession(db, userId, 'web', 'demo data');
  return (await findSession(db, token, 'web'))!.actor;
}

async function buyPlan(db: Db, user: Actor, admin: Actor, now: Date): Promise<void> {
  const choice = { postsPerDay: PUBLISH_TIMES.length, currencyCode: 'USD', upgradeType: null };
  const bought = new Date(now.getTime() - 4 * DAY_MS);
  const { amountMinor } = await quotePurchase(db, user, choice, bought);
  const proof = { transactionId: '5TP10293DEMO84756', amount: toMajor(amountMinor), startImmediately: null };
  const { id } = await submitProof(db, user, { ...choice, ...proof }, bought);
  await verifyPayment(db, admin, id, bought);
}

async function tellStory(db: Db, user: Actor, now: Date): Promise<void> {
  const topics = new Map<string, string>();
  for (const topic of STORY_TOPICS) topics.set(topic.name, (await createTopic(db, user, topic)).id);
  const store = (trx: Trx, { topic, ...text }: StoryPost, slot: Slot, values: { createdAt: Date }) =>
    addPost(trx, { ...text, topicId: topics.get(topic)!, userId: user.userId, ...values }, slot);
  for (const [index, post] of PUBLISHED_STORY.entries()) {
    const slot = slotBefore(index, user.timeZone, now);
    const createdAt = new Date(slot.at.getTime() - 2 * 3_600_000);
    await transact(db, async (trx) => {
      const postId = await store(trx, post, slot, { createdAt });
      await markPublished(trx, postId!, null, slot.at);
    });
  }
  const timetable = await readTimetable(db, user.userId, now);
  // Today's slots stay open, so that a visitor sees posts written and published by the product itself.
  const today = localDayOf(now, user.timeZone);
  const free = await findFreeSlots(db, user.userId, timetable, today.end, SCHEDULED_STORY.length);
  for (const [index, post] of SCHEDULED_STORY.entries()) {
    const slot = free[index]!;
    await transact(db, (trx) => store(trx, post, slot, { createdAt: new Date(now.getTime() - DAY_MS) }));
  }
}

/** The slots of the days before today, the latest first. */
function slotBefore(index: number, timeZone: string, now: Date): Slot {
  const perDay = PUBLISH_TIMES.length;
  const day = new Date(now.getTime() - (1 + Math.floor(index / perDay)) * DAY_MS);
  const number = perDay - (index % perDay);
  const date = localDateOf(day, timeZone);
  return { date, number, at: instantOf(date, PUBLISH_TIMES[number - 1]!, timeZone) };
}
