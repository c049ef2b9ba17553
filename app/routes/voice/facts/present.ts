import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate } from '#app/domain/platform/dates.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { listTopicNames } from '#app/domain/topics/topics.ts';
import { ALL_TOPICS, countFacts, type Fact, listFacts } from '#app/domain/voice/fact-list.ts';
import { listFactUses } from '#app/domain/voice/fact-uses.ts';
import { VOICE_PARENT } from '#app/routes/voice/tabs.tsx';

const PER_PAGE = 50;

type Use = Awaited<ReturnType<typeof listFactUses>>[number];
type FactContext = { uses: Use[]; names: Map<string, string>; timeZone: string };

const firstLine = (text: string) => text.split('\n', 1)[0]!;

function presentFact(
  { id, topicId, kind, content, lastGivenAt }: Fact,
  { uses, names, timeZone }: FactContext,
) {
  const factUses = uses.filter(({ factId }) => factId === id);
  return {
    id,
    kind,
    content,
    topicId,
    about: topicId === null ? 'All topics' : (names.get(topicId) ?? 'Another topic'),
    lastUsed: lastGivenAt ? `Last given ${formatDate(lastGivenAt, timeZone)}` : 'Not given to the writer yet',
    used: factUses[0]?.total ?? 0,
    posts: factUses.map(({ postId, beginning }) => ({ id: postId, beginning: firstLine(beginning) })),
  };
}
export type PresentedFact = ReturnType<typeof presentFact>;

function queryOf(query: URLSearchParams, names: Map<string, string>) {
  const topic = query.get('topic') ?? '';
  return {
    topic: topic === ALL_TOPICS || names.has(topic) ? topic : undefined,
    cursor: query.get('cursor') || undefined,
  };
}

const searchOf = (params: Record<string, string | null | undefined>) => {
  const defined = Object.entries(params).flatMap(([name, value]) => (value ? [[name, value]] : []));
  return defined.length > 0 ? `?${new URLSearchParams(defined)}` : '';
};

/** The query string of the current list, with valid values only. */
export function listOfFacts(query: URLSearchParams): string {
  const topic = query.get('topic') ?? '';
  return searchOf({ topic: topic === ALL_TOPICS || isId(topic) ? topic : null, cursor: query.get('cursor') });
}

export async function loadFacts(db: Db, actor: Actor, query: URLSearchParams) {
  const topics = await listTopicNames(db, actor);
  const names = new Map(topics.map(({ id, name }) => [id, name]));
  const filter = queryOf(query, names);
  const [{ rows, nextCursor }, counts] = await Promise.all([
    listFacts(db, actor, { ...filter, limit: PER_PAGE }),
    countFacts(db, actor),
  ]);
  const ids = rows.map(({ id }) => id);
  const context = { uses: await listFactUses(db, actor, ids), names, timeZone: actor.timeZone };
  return {
    facts: rows.map((row) => presentFact(row, context)),
    topics: topics.map(({ id, name }) => ({ id, name, count: counts.get(id) ?? 0 })),
    forAll: counts.get(null) ?? 0,
    ...VOICE_PARENT,
    total: [...counts.values()].reduce((sum, count) => sum + count, 0),
    topic: filter.topic ?? '',
    search: searchOf(filter),
    first: filter.cursor ? searchOf({ topic: filter.topic }) : null,
    next: nextCursor && searchOf({ topic: filter.topic, cursor: nextCursor }),
  };
}
export type PresentedFacts = Awaited<ReturnType<typeof loadFacts>>;
