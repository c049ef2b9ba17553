import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { ALL_TOPICS, countFacts, type Fact, listFacts } from '#app/domain/voice/fact-list.ts';
import { listFactUses } from '#app/domain/voice/fact-uses.ts';
import { ABOVE_VOICE } from '#app/routes/voice/tabs.tsx';

const PER_PAGE = 50;

type Use = Awaited<ReturnType<typeof listFactUses>>[number];
type FactContext = { uses: Use[]; names: Map<string, string>; timeZone: string };

const firstLine = (text: string) => text.split('\n', 1)[0]!;

/** A fact as its line shows it. */
function presentFact(
  { id, topicId, kind, content, lastGivenAt }: Fact,
  { uses, names, timeZone }: FactContext,
) {
  const own = uses.filter(({ factId }) => factId === id);
  return {
    id,
    kind,
    content,
    topicId,
    about: topicId === null ? 'All topics' : (names.get(topicId) ?? 'Another topic'),
    given: lastGivenAt ? `Last given ${formatDate(lastGivenAt, timeZone)}` : 'Not given to the writer yet',
    used: own[0]?.total ?? 0,
    posts: own.map(({ postId, beginning }) => ({ id: postId, beginning: firstLine(beginning) })),
  };
}
export type PresentedFact = ReturnType<typeof presentFact>;

/** What the address asks for, as far as it is there. */
function queryOf(query: URLSearchParams, names: Map<string, string>) {
  const topic = query.get('topic') ?? '';
  return {
    topic: topic === ALL_TOPICS || names.has(topic) ? topic : undefined,
    cursor: query.get('cursor') || undefined,
  };
}

const searchOf = (asked: Record<string, string | null | undefined>) => {
  const said = Object.entries(asked).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return said.length > 0 ? `?${new URLSearchParams(said)}` : '';
};

/** The same list in an address, with what is our own in it. */
export function listOfFacts(query: URLSearchParams): string {
  const topic = query.get('topic') ?? '';
  return searchOf({ topic: topic === ALL_TOPICS || isId(topic) ? topic : null, cursor: query.get('cursor') });
}

/** A page of the facts, of all topics or of the one that the address names. */
export async function loadFacts(db: Db, actor: Actor, query: URLSearchParams) {
  const topics = await listTopicNames(db, actor);
  const names = new Map(topics.map(({ id, name }) => [id, name]));
  const asked = queryOf(query, names);
  const [{ rows, nextCursor }, counts] = await Promise.all([
    listFacts(db, actor, { ...asked, limit: PER_PAGE }),
    countFacts(db, actor),
  ]);
  const ids = rows.map(({ id }) => id);
  const known = { uses: await listFactUses(db, actor, ids), names, timeZone: actor.timeZone };
  return {
    facts: rows.map((row) => presentFact(row, known)),
    topics: topics.map(({ id, name }) => ({ id, name, count: counts.get(id) ?? 0 })),
    forAll: counts.get(null) ?? 0,
    ...ABOVE_VOICE,
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    topic: asked.topic ?? '',
    search: searchOf(asked),
    first: asked.cursor ? searchOf({ topic: asked.topic }) : null,
    next: nextCursor && searchOf({ topic: asked.topic, cursor: nextCursor }),
  };
}
export type PresentedFacts = Awaited<ReturnType<typeof loadFacts>>;
