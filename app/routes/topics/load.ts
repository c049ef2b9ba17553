import { redirect } from 'react-router';
import { type Db, db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { cursorBefore } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { countWaitingByTopic } from '#app/domain/queue/slots/waiting-posts.ts';
import { findTopic, listTopics } from '#app/domain/topics/topics.ts';
import { countFacts } from '#app/domain/voice/fact-list.ts';
import { findVoice } from '#app/domain/voice/voice.ts';
import { findFreePosts } from '#app/domain/writing/quota.ts';
import { listTopicRuns } from '#app/domain/writing/runs/list-by-topic.ts';
import { findNextTurns } from '#app/domain/writing/runs/upcoming-topics.ts';
import { ABOUT_ONE, type Place, pageOf, withDialog } from './paths.ts';
import { pauseChoices, presentTopic, type TopicView } from './present.ts';
import { presentVoice } from './present-voice.ts';

const PER_PAGE = 60;

/** The page on which the topic stands that an address asks for from elsewhere, as a link in a mail does. */
async function findPageOf(db: Db, actor: Actor, query: URLSearchParams): Promise<string | null> {
  const name = ABOUT_ONE.find((each) => query.has(each));
  if (!name) return null;
  try {
    const { id, createdAt } = await findTopic(db, actor, query.get(name)!);
    return `/app/topics${withDialog({ cursor: cursorBefore({ at: createdAt, id }, 1) }, `${name}=${id}`)}`;
  } catch (error) {
    if (error instanceof Refusal) return null;
    throw error;
  }
}

/**
 * The page at the card about whose topic a post is being written, to be loaded anew; it changes, or browsers would not
 * load it anew. Null when there is nothing to wait for.
 */
function freshOf(topics: TopicView[], place: Place, query: URLSearchParams): string | null {
  const writing = topics.find(({ run }) => run?.isOpen);
  if (!writing) return null;
  return `${withDialog(place, `turn=${query.get('turn') === '1' ? 2 : 1}`)}#topic-${writing.id}`;
}

export async function loadTopics(actor: Actor, query: URLSearchParams, now = new Date()) {
  const cursor = query.get('cursor') || null;
  const [{ rows, nextCursor }, facts, voice, turns, waiting, runs] = await Promise.all([
    listTopics(db(), actor, { limit: PER_PAGE, cursor: cursor ?? undefined }),
    countFacts(db(), actor),
    findVoice(db(), actor.userId),
    findNextTurns(db(), actor, now),
    countWaitingByTopic(db(), actor),
    listTopicRuns(db(), actor, now),
  ]);
  const asked = ABOUT_ONE.flatMap((name) => query.get(name) ?? []);
  if (asked.some((id) => !rows.some((row) => row.id === id))) {
    const page = await findPageOf(db(), actor, query);
    if (page) throw redirect(page);
  }
  // The last topic of a later page is gone.
  if (cursor && rows.length === 0) throw redirect(pageOf({ cursor: null }));
  const place = { cursor };
  const hasFree = turns.why === 'no_plan' && (await findFreePosts(db(), actor, now)).left > 0;
  const canWrite = turns.why !== 'no_plan' || hasFree;
  const known = { turns, waiting, facts, runs, canWrite };
  const topics = rows.map((row) => presentTopic(row, known, actor, now));
  return {
    topics,
    noTurns: turns.why && { why: turns.why, hasFree },
    place,
    fresh: freshOf(topics, place, query),
    nextCursor,
    pause: pauseChoices(actor, now),
    voice: presentVoice(voice, facts),
  };
}
