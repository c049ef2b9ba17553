import { type Db, transact } from '#app/db/client.ts';
import { listUnsentMails, markMailSent } from '#app/domain/email/outbox.ts';
import { setFeedbackStatus } from '#app/domain/feedback/manage.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { vote } from '#app/domain/feedback/votes.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { setLandingConsent } from '#app/domain/posts/landing/top-posts.ts';
import { countDays } from '#app/domain/publishing/daily-stats.ts';
import { addPost, markPublished } from '#app/domain/publishing/state/post-state.ts';
import { replyToTicket } from '#app/domain/support/list-tickets.ts';
import { answerOwnTicket, submitTicket } from '#app/domain/support/tickets.ts';
import { createTopic } from '#app/domain/topics/topics.ts';
import { type Demo, signUp } from './make-demo.ts';
import { DEMO_FEEDBACK, DEMO_TICKETS, NEIGHBOURS, type Neighbour } from './neighbours.ts';
import { DEMO_USER } from './people.ts';
import { makeVisits } from './visits.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/**
 * Creates other users, whose posts the landing page may show once they are connected, and the feedback and support tickets
 * of all demo users. Returns the other users.
 */
async function makeCommunity(db: Db, { user, admin }: Demo, now = new Date()): Promise<Actor[]> {
  const neighbours: Actor[] = [];
  for (const [index, neighbour] of NEIGHBOURS.entries()) {
    neighbours.push(
      await createNeighbour(db, neighbour, new Date(now.getTime() - (5 + 7 * index) * HOUR_MS)),
    );
  }
  await setLandingConsent(db, user.userId, true, now);
  const users = [user, ...neighbours];
  await createTickets(db, users, admin, now);
  await createFeedback(db, users, admin, now);
  for (const { email } of [...users, admin]) {
    for (const mailId of await listUnsentMails(db, email)) await markMailSent(db, mailId, now);
  }
  return neighbours;
}

async function createNeighbour(
  db: Db,
  { name, email, topic, post }: Neighbour,
  postedAt: Date,
): Promise<Actor> {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const actor = await signUp(db, { name, email, password: DEMO_USER.password, timeZone });
  const { userId } = actor;
  const { id: topicId } = await createTopic(db, actor, topic);
  await transact(db, async (trx) => {
    const newPost = { ...post, topicId, userId, createdAt: new Date(postedAt.getTime() - HOUR_MS) };
    const id = (await addPost(trx, newPost, null))!;
    await markPublished(trx, { id, userId }, null, postedAt);
  });
  await setLandingConsent(db, userId, true, postedAt);
  return actor;
}

async function createFeedback(db: Db, users: Actor[], admin: Actor, now: Date): Promise<void> {
  for (const { by, votes, daysAgo, status, rating = null, ...input } of DEMO_FEEDBACK) {
    const at = new Date(now.getTime() - daysAgo * DAY_MS);
    const { id: feedbackId } = await submitFeedback(db, users[by]!, { ...input, rating }, 'form', at);
    for (const voter of votes) await vote(db, users[voter]!, { feedbackId, isWanted: true });
    if (!status) continue;
    // The audit log is ordered by id, so its times must not go back.
    await setFeedbackStatus(db, admin, { feedbackId, status }, now);
  }
}

async function createTickets(db: Db, users: Actor[], admin: Actor, now: Date): Promise<void> {
  for (const { by, category, subject, status, messages } of DEMO_TICKETS) {
    const asker = users[by]!;
    const { name, email } = asker;
    let ticketId = '';
    for (const [index, { hoursAgo, text: message }] of messages.entries()) {
      const at = new Date(now.getTime() - hoursAgo * HOUR_MS);
      const newStatus = index === messages.length - 1 ? status : undefined;
      if (index === 0) {
        ({ id: ticketId } = await submitTicket(db, asker, { name, email, category, subject, message }, at));
      } else if (index % 2) await replyToTicket(db, admin, { ticketId, message, status: newStatus }, at);
      else await answerOwnTicket(db, asker, { ticketId, message }, at);
    }
  }
}

/** Adds other users, feedback, tickets, visits and daily statistics to the demo. Returns all users with published posts. */
export async function makeSurroundings(db: Db, demo: Demo, now = new Date()): Promise<Actor[]> {
  const users = [demo.user, ...(await makeCommunity(db, demo, now))];
  await makeVisits(
    db,
    users.map(({ email }) => email),
    now,
  );
  await countDays(db, now);
  return users;
}
