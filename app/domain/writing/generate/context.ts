import type { Db } from '#app/db/client.ts';
import { findTopicOfSlot, listLastTexts, listRewritten } from '#app/domain/posts/memory/memory.ts';
import type { WritingTopic } from '#app/domain/topics/topics.ts';
import { listTurns } from '#app/domain/topics/turns.ts';
import { listFactsByTurn, listRemainingFacts } from '#app/domain/voice/fact-list.ts';
import { findVoice, listExamples } from '#app/domain/voice/voice.ts';
import { isFunctionWord } from '#app/domain/writing/gates/language/function-words.ts';
import { wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import { type Brief, decideBrief, type UserFact } from './brief.ts';
import { listRecentBriefs } from './brief-store.ts';

export const openingOf = (content: string): string => content.split('\n', 1)[0]!.trim();

export const closingOf = (content: string): string => content.trim().split(/\n+/).at(-1)!.trim();

const WORDS = 4;

function sequencesOf(text: string): Set<string> {
  const words = wordsOf(text);
  const count = Math.max(0, words.length - WORDS + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + WORDS).join(' ')));
}

/**
 * Returns the sequences of four folded words that several texts have, the most frequent first. Sequences of function
 * words and of words of the user are left out: facts may be repeated in the same words.
 */
export function repeatedPhrases(texts: string[], userInput: string): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const phrase of sequencesOf(text)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const own = new Set(wordsOf(userInput));
  const isDistinct = (phrase: string) =>
    phrase.split(' ').some((word) => !isFunctionWord(word) && !own.has(word));
  return [...counts]
    .filter(([phrase, count]) => count > 1 && isDistinct(phrase))
    .sort(([, a], [, b]) => b - a)
    .map(([phrase]) => phrase);
}

/** Facts from which those of a post are chosen: enough that each kind has its turn. */
const CANDIDATE_FACTS = 30;
const EXAMPLES = 3;
const RECENT_LINES = 10;
const PHRASES_IN_PROMPT = 40;

type SlotKey = { date: string; number: number };

export const dayBefore = ({ date, number }: SlotKey): SlotKey => ({
  date: Temporal.PlainDate.from(date).subtract({ days: 1 }).toString(),
  number,
});

/** Sorts topics that are in the order of their turns: topics that are `taken` come later, the topic `before` comes last. */
export function sortByTurn<Topic extends { id: string }>(
  turns: Topic[],
  taken: string[],
  before?: string | null,
): Topic[] {
  const timesTaken = (topic: Topic) => taken.filter((id) => id === topic.id).length;
  const topics = turns.toSorted((a, b) => timesTaken(a) - timesTaken(b));
  return topics.toSorted((a, b) => Number(a.id === before) - Number(b.id === before));
}

/** Lists the topics in the order of their turns. The topic of the same slot on the day before comes last. */
export async function listTopicsByTurn(
  db: Db,
  userId: string,
  slot: SlotKey | null,
  taken: string[] = [],
): Promise<WritingTopic[]> {
  const turns = await listTurns(db, userId);
  if (!slot || turns.length < 2) return sortByTurn(turns, taken);
  return sortByTurn(turns, taken, await findTopicOfSlot(db, userId, dayBefore(slot)));
}

/** Returns the examples that the user chose, else posts that the user wrote or rewrote. */
async function listVoiceExamples(db: Db, userId: string): Promise<string[]> {
  const chosen = await listExamples(db, userId);
  const examples = chosen.length > 0 ? chosen : await listRewritten(db, userId, EXAMPLES);
  return examples.map(({ content }) => content);
}

/** A post that is rewritten: by the instruction, or with a new brief without one. */
export type RewrittenPost = {
  postId: string;
  content: string;
  instruction: string | null;
  brief: Brief | null;
};

/** Returns the brief for a rewrite by instruction: the old one without facts that were deleted since. */
async function briefOfRewrite(
  db: Db,
  userId: string,
  { brief, instruction }: RewrittenPost,
): Promise<Brief | null> {
  if (!brief || !instruction) return null;
  const remaining = await listRemainingFacts(
    db,
    userId,
    brief.facts.map(({ id }) => id),
  );
  return { ...brief, instruction, facts: brief.facts.filter(({ id }) => remaining.has(id)) };
}

function withUsedLast(facts: UserFact[], beside: Brief[]): UserFact[] {
  const used = new Set(beside.flatMap((brief) => brief.facts.map(({ id }) => id)));
  return facts.toSorted((a, b) => Number(used.has(a.id)) - Number(used.has(b.id)));
}

/** Summarises the latest posts: how they open and close, what they argue, and the phrases that they repeat. */
function summarisePosts(
  texts: string[],
  theses: string[],
  { brief, topic }: { brief: Brief; topic: WritingTopic },
) {
  const userInput = [topic.name, ...topic.keywords, ...brief.facts.map(({ content }) => content)];
  return {
    latest: texts[0],
    theses,
    openings: texts.slice(0, RECENT_LINES).map(openingOf),
    closings: texts.slice(0, RECENT_LINES).map(closingOf),
    phrases: repeatedPhrases(texts, userInput.join('\n')),
  };
}

/** The part for the prompt: the gates check all phrases, but a long list would distract the writer. */
const promptMemoryOf = ({ theses, openings, closings, phrases }: ReturnType<typeof summarisePosts>) => ({
  theses,
  openings,
  closings,
  phrases: phrases.slice(0, PHRASES_IN_PROMPT),
});

/**
 * Decides the brief of a post, and loads the data for the prompt and for the gates. `beside`: the briefs of posts that
 * are written at the same time.
 */
export async function loadContext(
  db: Db,
  userId: string,
  topic: WritingTopic,
  { rewrite, beside = [] }: { rewrite?: RewrittenPost; beside?: Brief[] } = {},
) {
  const voice = await findVoice(db, userId);
  const recent = await listRecentBriefs(db, userId, rewrite?.postId);
  const facts = withUsedLast(await listFactsByTurn(db, userId, topic.id, CANDIDATE_FACTS), beside);
  const texts = await listLastTexts(db, userId, rewrite?.postId);
  const frame = {
    topic: topic.name,
    tone: topic.tone,
    reader: voice.audience,
    author: voice.headline,
    language: voice.language,
    hasEmoji: voice.hasEmoji,
  };
  const around = { ...recent, before: [...beside, ...recent.before] };
  const decided = { ...decideBrief(frame, facts, around), instruction: rewrite?.instruction ?? null };
  const brief = (rewrite && (await briefOfRewrite(db, userId, rewrite))) ?? decided;
  const earlier = summarisePosts(texts, recent.theses, { brief, topic });
  const data = { topic, voice, ...promptMemoryOf(earlier), examples: await listVoiceExamples(db, userId) };
  return { brief, data, earlier };
}

export type PostContext = Awaited<ReturnType<typeof loadContext>>;

/** Returns the context with the posts that were stored since; undefined when there are none. */
export async function withLatest(
  db: Db,
  userId: string,
  { brief, data, earlier }: PostContext,
): Promise<PostContext | undefined> {
  const texts = await listLastTexts(db, userId);
  if (texts[0] === earlier.latest) return undefined;
  const { theses } = await listRecentBriefs(db, userId);
  const latest = summarisePosts(texts, theses, { brief, topic: data.topic });
  return { brief, data: { ...data, ...promptMemoryOf(latest) }, earlier: latest };
}

/** Returns the context with a shorter prompt, for a model with a small context window. The gates stay the same. */
export const withLess = ({ data, ...context }: PostContext): PostContext => ({
  ...context,
  data: {
    ...data,
    examples: [],
    openings: data.openings.slice(0, 3),
    closings: data.closings.slice(0, 3),
    theses: data.theses.slice(0, 5),
    phrases: data.phrases.slice(0, 5),
  },
});
