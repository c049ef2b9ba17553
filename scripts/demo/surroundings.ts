import { type Db, transact } from '#app/db/client.ts';
import { listUnsentMails, markMailSent } from '#app/domain/email/outbox.ts';
import { setFeedbackStatus } from '#app/domain/feedback/manage.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { vote } from '#app/domain/feedback/votes.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { letShow } from '#app/domain/posts/landing/top-posts.ts';
import { countDays } from '#app/domain/publishing/daily-stats.ts';
import { addPost, markPublished } from '#app/domain/queue/post-state.ts';
import { replyToTicket } from '#app/domain/support/list-tickets.ts';
import { answerOwnTicket, submitTicket } from '#app/domain/support/tickets.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { type Demo, signUp } from './make-demo.ts';
import { NEIGHBOURS, type Neighbour, THREADS, WISHES } from './neighbours.ts';
import { DEMO_USER } from './people.ts';
import { makeVisits } from './visits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Makes what stands around the story of the demo: people whose posts the start page may show once they are connected, what
 * they all wish for, and what they asked. Answers those people.
 */
async function makeCommunity(db: Db, { user, admin }: Demo, now = new Date()): Promise<Actor[]> {
  const neighbours: Actor[] = [];
  for (const [index, neighbour] of NEIGHBOURS.entries()) {
    neighbours.push(await settle(db, neighbour, new Date(now.getTime() - (5 + 7 * index) * HOUR_MS)));
  }
  await letShow(db, user.userId, true, now);
  const people = [user, ...neighbours];
  await ask(db, people, admin, now);
  await wish(db, people, admin, now);
  for (const { email } of [...people, admin]) {
    for (const mailId of await listUnsentMails(db, email)) await markMailSent(db, mailId, now);
  }
  return neighbours;
}

async function settle(db: Db, { name, email, topic, post }: Neighbour, postedAt: Date): Promise<Actor> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const actor = await signUp(db, { name, email, password: DEMO_USER.password, timeZone });
  const { userId } = actor;
  const { id: topicId } = await createTopic(db, actor, topic);
  await transact(db, async (trx) => {
    const written = { ...post, topicId, userId, createdAt: new Date(postedAt.getTime() - HOUR_MS) };
    const id = (await addPost(trx, written, null))!;
    await markPublished(trx, { id, userId }, null, postedAt);
  });
  await letShow(db, userId, true, postedAt);
  return actor;
}

async function wish(db: Db, people: Actor[], admin: Actor, now: Date): Promise<void> {
  for (const { by, votes, daysAgo, status, rating = null, ...said } of WISHES) {
    const at = new Date(now.getTime() - daysAgo * DAY_MS);
    const { id: feedbackId } = await submitFeedback(db, people[by]!, { ...said, rating }, 'form', at);
    for (const voter of votes) await vote(db, people[voter]!, { feedbackId, isWanted: true });
    if (!status) continue;
    // The log of what admins did is read by its ids: what is decided last must not be dated before.
    await setFeedbackStatus(db, admin, { feedbackId, status }, now);
  }
}

async function ask(db: Db, people: Actor[], admin: Actor, now: Date): Promise<void> {
  for (const { by, category, subject, status, words } of THREADS) {
    const asker = people[by]!;
    const { name, email } = asker;
    let ticketId = '';
    for (const [index, { hoursAgo, text: message }] of words.entries()) {
      const at = new Date(now.getTime() - hoursAgo * HOUR_MS);
      const last = index === words.length - 1 ? status : undefined;
      if (index === 0) {
        ({ id: ticketId } = await submitTicket(db, asker, { name, email, category, subject, message }, at));
      } else if (index % 2) await replyToTicket(db, admin, { ticketId, message, status: last }, at);
      else await answerOwnTicket(db, asker, { ticketId, message }, at);
    }
  }
}

/** Makes what is around the demo, and counts its days as a worker does each hour. Answers all whose posts went out. */
export async function makeSurroundings(db: Db, demo: Demo, now = new Date()): Promise<Actor[]> {
  const people = [demo.user, ...(await makeCommunity(db, demo, now))];
  const addresses = people.map(({ email }) => email);
  await makeVisits(db, addresses, now);
  await countDays(db, now);
  return people;
}
