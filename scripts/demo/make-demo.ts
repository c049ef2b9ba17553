import { type Db, type Trx, transact } from '#app/db/client.ts';
import { createSession, findSession } from '#app/domain/accounts/sign-in/sessions.ts';
import { startSignUp, verifySignUp } from '#app/domain/accounts/sign-up/sign-ups.ts';
import { findUserByEmail, setRole } from '#app/domain/accounts/users.ts';
import { localDayOf, type Slot, slotsAfter, type Timetable } from '#app/domain/automation/slots.ts';
import { readTimetable } from '#app/domain/automation/timetable.ts';
import { findUnsentMail, listUnsentMails, markMailSent } from '#app/domain/email/outbox.ts';
import type { Mails } from '#app/domain/email/templates/templates.ts';
import { withAccessToken } from '#app/domain/linkedin/connection.ts';
import { prepare } from '#app/domain/payments/checkout/payment-info.ts';
import { submitProof } from '#app/domain/payments/checkout/submit.ts';
import { toMajor } from '#app/domain/payments/money.ts';
import { verifyPayment } from '#app/domain/payments/review/verify-reject.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { listPosts } from '#app/domain/posts/lists/list.ts';
import { addPost, markFailed, markPublished } from '#app/domain/queue/post-state.ts';
import { findFreeSlots } from '#app/domain/queue/slots/free-slots.ts';
import { saveSettings } from '#app/domain/queue/slots/reschedule.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { takeTurn } from '#app/domain/topics/turns.ts';
import { addFact, listFacts } from '#app/domain/voice/fact-list.ts';
import { endInterview } from '#app/domain/voice/interview.ts';
import { FactInput, VoiceInput } from '#app/domain/voice/schema.ts';
import { saveVoice } from '#app/domain/voice/voice.ts';
import type { UserFact } from '#app/domain/writing/generate/brief.ts';
import { type Composed, storeBrief } from '#app/domain/writing/generate/brief-store.ts';
import { env } from '#app/env.ts';
import { commentaryOf } from '#app/integrations/linkedin/little-text.ts';
import { createPost } from '#app/integrations/linkedin/posts.ts';
import { DEMO_ADMIN, DEMO_USER } from './people.ts';
import {
  FAILED_STORY,
  PUBLISHED_STORY,
  SCHEDULED_STORY,
  STORY_FACTS,
  STORY_TOPICS,
  STORY_VOICE,
  type StoryPost,
} from './story.ts';

const POSTS_PER_DAY = 3;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Minutes of a day before and after which no time of the story lies. */
const [EARLIEST, LATEST] = [5, 23 * 60 + 55];

export type Demo = { user: Actor; admin: Actor };

/**
 * Makes a demo user in the middle of a story and a demo admin, through the same functions that people use.
 * Does nothing when they exist. Answers them when they were made now.
 */
export async function makeDemo(db: Db, now = new Date()): Promise<Demo | undefined> {
  if (await findUserByEmail(db, DEMO_USER.email)) return undefined;
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const admin = { ...(await signUp(db, { ...DEMO_ADMIN, timeZone })), isAdmin: true };
  await setRole(db, DEMO_ADMIN.email, 'admin');
  const user = await signUp(db, { ...DEMO_USER, timeZone });
  await buyPlan(db, user, admin, now);
  const publishTimes = timesAround(now, timeZone);
  await saveSettings(db, user, { publishTimes, contentCreationTime: '07:00', timeZone }, now);
  await tellStory(db, user, now);
  // What led to the story is in neither's inbox.
  for (const { email } of [user, admin]) {
    for (const mailId of await listUnsentMails(db, email)) await markMailSent(db, mailId, now);
  }
  return { user, admin };
}

type Person = { email: string; password: string; name: string; timeZone: string };

export async function signUp(db: Db, person: Person): Promise<Actor> {
  const { signUpId } = await startSignUp(db, person);
  const [mailId] = await listUnsentMails(db, person.email);
  const { code } = (await findUnsentMail(db, mailId!))!.data as Mails['verifyEmail'];
  const { userId } = await verifySignUp(db, { email: person.email, otp: code, signUpId });
  const { token } = await createSession(db, userId, 'web', 'demo data');
  return (await findSession(db, token, 'web'))!.actor;
}

async function buyPlan(db: Db, user: Actor, admin: Actor, now: Date): Promise<void> {
  const choice = { postsPerDay: POSTS_PER_DAY, currencyCode: 'USD', upgradeType: null };
  const bought = new Date(now.getTime() - 4 * DAY_MS);
  const { amountMinor } = await prepare(db, user, choice, bought);
  const proof = { transactionId: '5TP10293DEMO84756', amount: toMajor(amountMinor), startImmediately: null };
  const { id } = await submitProof(db, user, { ...choice, ...proof }, bought);
  await verifyPayment(db, admin, id, bought);
}

/** Three times of day, of which two have passed some time ago and the third is still to come, as far as the day allows. */
function timesAround(now: Date, timeZone: string): string[] {
  const minute = (now.getTime() - localDayOf(now, timeZone).start.getTime()) / MINUTE_MS;
  const first = Math.max(EARLIEST, minute - 4 * 60);
  const second = Math.max(first + 15, minute - 60);
  const third = Math.max(second + 15, Math.min(LATEST, minute + 2 * 60));
  return [first, second, third].map((time) => {
    const rounded = Math.floor(Math.min(time, LATEST) / 5) * 5;
    const [hours, minutes] = [Math.floor(rounded / 60), rounded % 60];
    return [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':');
  });
}

async function tellStory(db: Db, user: Actor, now: Date): Promise<void> {
  const topics = new Map<string, string>();
  for (const topic of STORY_TOPICS) topics.set(topic.name, (await createTopic(db, user, topic)).id);
  await saveVoice(db, user, VoiceInput.parse(STORY_VOICE));
  for (const { topic, content } of STORY_FACTS) {
    await addFact(db, user, FactInput.parse({ content, topicId: topic && topics.get(topic) }));
  }
  await endInterview(db, user, now);
  const timetable = await readTimetable(db, user.userId, now);
  const { rows: facts } = await listFacts(db, user, { limit: 100 });
  const turns = new Map<string, Date>();
  const store = async (trx: Trx, post: StoryPost, slot: Slot, createdAt: Date) => {
    const { topic, status, made, ...text } = post;
    const { userId } = user;
    const written = { ...text, topicId: topics.get(topic)!, userId, createdAt };
    const postId = await addPost(trx, written, slot, status);
    const composed = composedOf(post, facts);
    if (composed) await storeBrief(trx, { postId: postId!, userId }, composed, createdAt);
    const last = turns.get(written.topicId);
    if (!last || last < createdAt) turns.set(written.topicId, createdAt);
    return postId;
  };
  const writtenBefore = (slot: Slot) => new Date(slot.at.getTime() - 2 * 60 * MINUTE_MS);
  const [lately, ...before] = slotsBefore(timetable, now);
  await transact(db, async (trx) => {
    const postId = await store(trx, FAILED_STORY, lately!, writtenBefore(lately!));
    await markFailed(trx, { id: postId!, userId: user.userId }, 'duplicate');
  });
  for (const [index, post] of PUBLISHED_STORY.entries()) {
    const slot = before[index]!;
    await transact(db, async (trx) => {
      const postId = await store(trx, post, slot, writtenBefore(slot));
      await markPublished(trx, { id: postId!, userId: user.userId }, null, slot.at);
    });
  }
  const free = await findFreeSlots(db, user.userId, timetable, now, SCHEDULED_STORY.length + 1);
  // One stays open, so that a visitor sees how it is filled.
  const taken = free.filter((_slot, index) => index !== 2);
  for (const [index, post] of SCHEDULED_STORY.entries()) {
    const written = new Date(now.getTime() - (30 - index) * MINUTE_MS);
    await transact(db, (trx) => store(trx, post, taken[index]!, written));
  }
  const { userId } = user;
  for (const [id, at] of turns) await transact(db, (trx) => takeTurn(trx, { id, userId }, at));
}

/** How a post of the story came about, as its writing would have stored it. */
function composedOf({ topic, content, hashtags, made }: StoryPost, facts: UserFact[]): Composed | undefined {
  if (!made) return undefined;
  const { thesis, claims, findings, score, reasons, ...how } = made;
  const given = facts.filter((fact) => claims.some((claim) => claim.fact === fact.content));
  const { audience: reader, headline: author } = STORY_VOICE;
  const frame = { topic, reader, author, language: 'en', tone: 'casual', hasEmoji: false, instruction: null };
  return {
    brief: { ...frame, ...how, facts: given.map(({ id, kind, content }) => ({ id, kind, content })) },
    draft: {
      content,
      hashtags,
      thesis,
      claims: claims.map(({ text, fact }) => ({
        text,
        fact: given.findIndex((each) => each.content === fact) + 1,
      })),
    },
    findings,
    score,
    reasons,
  };
}

/** Puts what the story says is out on LinkedIn, so that its links lead there. The user has to be connected. */
export async function publishStory(db: Db, user: Actor): Promise<void> {
  const access = (await withAccessToken(db, user.userId))!;
  const { rows } = await listPosts(db, user, { limit: 100, status: 'published' });
  for (const { id, content, hashtags, postedAt } of rows.toReversed()) {
    const caller = { accessToken: access.token, version: env().LINKEDIN_VERSIONS[0]! };
    const commentary = commentaryOf(content, hashtags);
    const outcome = await createPost({ ...caller, authorUrn: access.authorUrn, commentary });
    if (outcome.kind !== 'published') throw new Error(`LinkedIn answered the story with ${outcome.kind}`);
    const own = { id, userId: user.userId };
    await transact(db, (trx) => markPublished(trx, own, outcome.urn, postedAt!));
  }
}

/** The slots that have passed, the latest first. */
function slotsBefore(timetable: Timetable, now: Date): Slot[] {
  const from = new Date(now.getTime() - (2 + PUBLISHED_STORY.length / POSTS_PER_DAY) * DAY_MS);
  const slots = slotsAfter(from, timetable).take(PUBLISHED_STORY.length + 4 * POSTS_PER_DAY);
  return slots
    .toArray()
    .filter(({ at }) => at <= now)
    .toReversed();
}
