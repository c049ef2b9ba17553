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
import { saveSettings } from '#app/domain/publishing/slots/apply-settings.ts';
import { findFreeSlots } from '#app/domain/publishing/slots/free-slots.ts';
import { addPost, markFailed, markPublished } from '#app/domain/publishing/state/post-state.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { recordTurn } from '#app/domain/topics/turns.ts';
import { addFact, listFacts } from '#app/domain/voice/fact-list.ts';
import { endInterview } from '#app/domain/voice/interview.ts';
import { FactInput, VoiceInput } from '#app/domain/voice/schema.ts';
import { saveVoice } from '#app/domain/voice/voice.ts';
import type { UserFact } from '#app/domain/writing/generate/brief.ts';
import { type GeneratedPost, storeBrief } from '#app/domain/writing/generate/brief-store.ts';
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
/** All publish times of the story lie between these minutes of the day. */
const [EARLIEST, LATEST] = [5, 23 * 60 + 55];

export type Demo = { user: Actor; admin: Actor };

/**
 * Creates a demo user with a history of posts and a demo admin, through the functions that real users call. Does nothing
 * and returns undefined when they exist.
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
  await createStory(db, user, now);
  // The mails about the history must not be sent.
  for (const { email } of [user, admin]) {
    for (const mailId of await listUnsentMails(db, email)) await markMailSent(db, mailId, now);
  }
  return { user, admin };
}

type NewUser = { email: string; password: string; name: string; timeZone: string };

export async function signUp(db: Db, newUser: NewUser): Promise<Actor> {
  const { signUpId } = await startSignUp(db, newUser);
  const [mailId] = await listUnsentMails(db, newUser.email);
  const { code } = (await findUnsentMail(db, mailId!))!.data as Mails['verifyEmail'];
  const { userId } = await verifySignUp(db, { email: newUser.email, otp: code, signUpId });
  const { token } = await createSession(db, userId, 'web', 'demo data');
  return (await findSession(db, token, 'web'))!.actor;
}

async function buyPlan(db: Db, user: Actor, admin: Actor, now: Date): Promise<void> {
  const choice = { postsPerDay: POSTS_PER_DAY, currencyCode: 'USD', upgradeType: null };
  const boughtAt = new Date(now.getTime() - 4 * DAY_MS);
  const { amountMinor } = await prepare(db, user, choice, boughtAt);
  const proof = { transactionId: '5TP10293DEMO84756', amount: toMajor(amountMinor), startImmediately: null };
  const { id } = await submitProof(db, user, { ...choice, ...proof }, boughtAt);
  await verifyPayment(db, admin, id, boughtAt);
}

/** Three times of day: two in the past and one in the future, as far as the time of day allows. */
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

async function createStory(db: Db, user: Actor, now: Date): Promise<void> {
  const topics = new Map<string, string>();
  for (const topic of STORY_TOPICS) topics.set(topic.name, (await createTopic(db, user, topic)).id);
  await saveVoice(db, user, VoiceInput.parse(STORY_VOICE));
  for (const { topic, content } of STORY_FACTS) {
    await addFact(db, user, FactInput.parse({ content, topicId: topic && topics.get(topic) }));
  }
  await endInterview(db, user, now);
  const timetable = await readTimetable(db, user.userId, now);
  const { rows: facts } = await listFacts(db, user, { limit: 100 });
  const lastTurns = new Map<string, Date>();
  const store = async (trx: Trx, post: StoryPost, slot: Slot, createdAt: Date) => {
    const { topic, status, provenance, ...text } = post;
    const { userId } = user;
    const newPost = { ...text, topicId: topics.get(topic)!, userId, createdAt };
    const postId = await addPost(trx, newPost, slot, status);
    const composed = composedOf(post, facts);
    if (composed) await storeBrief(trx, { postId: postId!, userId }, composed, createdAt);
    const last = lastTurns.get(newPost.topicId);
    if (!last || last < createdAt) lastTurns.set(newPost.topicId, createdAt);
    return postId;
  };
  const createdFor = (slot: Slot) => new Date(slot.at.getTime() - 2 * 60 * MINUTE_MS);
  const [latest, ...earlier] = slotsBefore(timetable, now);
  await transact(db, async (trx) => {
    const postId = await store(trx, FAILED_STORY, latest!, createdFor(latest!));
    await markFailed(trx, { id: postId!, userId: user.userId }, 'duplicate');
  });
  for (const [index, post] of PUBLISHED_STORY.entries()) {
    const slot = earlier[index]!;
    await transact(db, async (trx) => {
      const postId = await store(trx, post, slot, createdFor(slot));
      await markPublished(trx, { id: postId!, userId: user.userId }, null, slot.at);
    });
  }
  const free = await findFreeSlots(db, user.userId, timetable, now, SCHEDULED_STORY.length + 1);
  // One slot stays free, so that a visitor sees how it is filled.
  const slots = free.filter((_slot, index) => index !== 2);
  for (const [index, post] of SCHEDULED_STORY.entries()) {
    const createdAt = new Date(now.getTime() - (30 - index) * MINUTE_MS);
    await transact(db, (trx) => store(trx, post, slots[index]!, createdAt));
  }
  const { userId } = user;
  for (const [id, at] of lastTurns) await transact(db, (trx) => recordTurn(trx, { id, userId }, at));
}

function composedOf(
  { topic, content, hashtags, provenance }: StoryPost,
  facts: UserFact[],
): GeneratedPost | undefined {
  if (!provenance) return undefined;
  const { thesis, claims, findings, score, reasons, ...choices } = provenance;
  const usedFacts = facts.filter((fact) => claims.some((claim) => claim.fact === fact.content));
  const { audience: reader, headline: author } = STORY_VOICE;
  const frame = { topic, reader, author, language: 'en', tone: 'casual', hasEmoji: false, instruction: null };
  return {
    brief: { ...frame, ...choices, facts: usedFacts.map(({ id, kind, content }) => ({ id, kind, content })) },
    draft: {
      content,
      hashtags,
      thesis,
      claims: claims.map(({ text, fact }) => ({
        text,
        fact: usedFacts.findIndex((each) => each.content === fact) + 1,
      })),
    },
    findings,
    score,
    reasons,
  };
}

/** Publishes the published posts of the story on LinkedIn, so that their links work. The user must be connected. */
export async function publishStory(db: Db, user: Actor): Promise<void> {
  const access = (await withAccessToken(db, user.userId))!;
  const { rows } = await listPosts(db, user, { limit: 100, status: 'published' });
  for (const { id, content, hashtags, postedAt } of rows.toReversed()) {
    const credentials = { accessToken: access.token, version: env().LINKEDIN_VERSIONS[0]! };
    const commentary = commentaryOf(content, hashtags);
    const outcome = await createPost({ ...credentials, authorUrn: access.authorUrn, commentary });
    if (outcome.kind !== 'published') throw new Error(`LinkedIn answered the story with ${outcome.kind}`);
    const ownPost = { id, userId: user.userId };
    await transact(db, (trx) => markPublished(trx, ownPost, outcome.urn, postedAt!));
  }
}

/** Latest first. */
function slotsBefore(timetable: Timetable, now: Date): Slot[] {
  const from = new Date(now.getTime() - (2 + PUBLISHED_STORY.length / POSTS_PER_DAY) * DAY_MS);
  const slots = slotsAfter(from, timetable).take(PUBLISHED_STORY.length + 4 * POSTS_PER_DAY);
  return slots
    .toArray()
    .filter(({ at }) => at <= now)
    .toReversed();
}
