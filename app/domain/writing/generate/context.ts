import type { Db } from '#app/db/client.ts';
import { findTopicOfSlot, listLastTexts, listOwnWords } from '#app/domain/posts/memory/memory.ts';
import { listTurns, type WritingTopic } from '#app/domain/topics/turns.ts';
import { listFactsByTurn, listRemainingFacts } from '#app/domain/voice/fact-list.ts';
import { findVoice, listExamples } from '#app/domain/voice/voice.ts';
import { isFunctionWord } from '#app/domain/writing/gates/language/function-words.ts';
import { wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import { type Brief, decideBrief, type UserFact } from './brief.ts';
import { listMade } from './brief-store.ts';

/** What stands before the first line break. */
export const openingOf = (content: string): string => content.split('\n', 1)[0]!.trim();

/** The last paragraph. */
export const closingOf = (content: string): string => content.trim().split(/\n+/).at(-1)!.trim();

const WORDS = 4;

/** Every sequence of four words, folded. Longer ones have these inside. */
function sequencesOf(text: string): Set<string> {
  const words = wordsOf(text);
  const count = Math.max(0, words.length - WORDS + 1);
  return new Set(Array.from({ length: count }, (_, at) => words.slice(at, at + WORDS).join(' ')));
}

/**
 * The sequences of four words, folded, that stand in two of the texts, the most worn first. Those of little words and of
 * what the author gave are nobody's: facts are said again in the same words.
 */
export function wornPhrases(texts: string[], given: string): string[] {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const phrase of sequencesOf(text)) counts.set(phrase, (counts.get(phrase) ?? 0) + 1);
  }
  const own = new Set(wordsOf(given));
  const says = (phrase: string) => phrase.split(' ').some((word) => !isFunctionWord(word) && !own.has(word));
  return [...counts]
    .filter(([phrase, count]) => count > 1 && says(phrase))
    .sort(([, a], [, b]) => b - a)
    .map(([phrase]) => phrase);
}

/** Of these the facts of a post are chosen: enough that each kind has its turn. */
const FACTS_LOOKED_AT = 30;
const EXAMPLES = 3;
const ENDS_TOLD = 10;
const PHRASES_TOLD = 40;

type SlotKey = { date: string; number: number };

/** The same slot of the day before. */
export const dayBefore = ({ date, number }: SlotKey): SlotKey => ({
  date: Temporal.PlainDate.from(date).subtract({ days: 1 }).toString(),
  number,
});

/** Of topics in the order of their last turns: those that were taken come later, and the one of the slot before last. */
export function sortByTurn<Topic extends { id: string }>(
  turns: Topic[],
  taken: string[],
  before?: string | null,
): Topic[] {
  const timesTaken = (topic: Topic) => taken.filter((id) => id === topic.id).length;
  const topics = turns.toSorted((a, b) => timesTaken(a) - timesTaken(b));
  return topics.toSorted((a, b) => Number(a.id === before) - Number(b.id === before));
}

/** The topics in the order of their turns. The one that the same slot had the day before comes last. */
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

/** Those that its owner chose, else posts that they really put into words of their own. */
async function examplesOf(db: Db, userId: string): Promise<string[]> {
  const chosen = (await listExamples(db, userId)).map(({ content }) => content);
  return chosen.length > 0 ? chosen : listOwnWords(db, userId, EXAMPLES);
}

/** A post that is written again: as the author asks of it, or another one in its place. */
export type Again = { postId: string; content: string; instruction: string | null; brief: Brief | null };

/** What was decided stays; but for facts that were deleted since. */
async function briefAgain(db: Db, userId: string, { brief, instruction }: Again): Promise<Brief | null> {
  if (!brief || !instruction) return null;
  const kept = await listRemainingFacts(
    db,
    userId,
    brief.facts.map(({ id }) => id),
  );
  return { ...brief, instruction, facts: brief.facts.filter(({ id }) => kept.has(id)) };
}

/** Facts that others written at the same time have come last. */
function afterThose(facts: UserFact[], beside: Brief[]): UserFact[] {
  const taken = new Set(beside.flatMap((brief) => brief.facts.map(({ id }) => id)));
  return facts.toSorted((a, b) => Number(taken.has(a.id)) - Number(taken.has(b.id)));
}

/** What a text is held against: how the last posts open and close, what they argue, and what is worn of them. */
function earlierOf(
  texts: string[],
  theses: string[],
  { brief, topic }: { brief: Brief; topic: WritingTopic },
) {
  const own = [topic.name, ...topic.keywords, ...brief.facts.map(({ content }) => content)];
  return {
    latest: texts[0],
    theses,
    openings: texts.slice(0, ENDS_TOLD).map(openingOf),
    closings: texts.slice(0, ENDS_TOLD).map(closingOf),
    phrases: wornPhrases(texts, own.join('\n')),
  };
}

/** The writer is told of it what it can mind; the rest goes back where it comes. */
const promptMemoryOf = ({ theses, openings, closings, phrases }: ReturnType<typeof earlierOf>) => ({
  theses,
  openings,
  closings,
  phrases: phrases.slice(0, PHRASES_TOLD),
});

/** Decides the brief of a post, and brings together what the writer is told and the text is held against. */
export async function gatherMaterial(
  db: Db,
  userId: string,
  topic: WritingTopic,
  { again, beside = [] }: { again?: Again; beside?: Brief[] } = {},
) {
  const voice = await findVoice(db, userId);
  const made = await listMade(db, userId, again?.postId);
  const facts = afterThose(await listFactsByTurn(db, userId, topic.id, FACTS_LOOKED_AT), beside);
  const texts = await listLastTexts(db, userId, again?.postId);
  const frame = {
    topic: topic.name,
    tone: topic.tone,
    reader: voice.audience,
    author: voice.headline,
    language: voice.language,
    hasEmoji: voice.hasEmoji,
  };
  const around = { ...made, before: [...beside, ...made.before] };
  const decided = { ...decideBrief(frame, facts, around), instruction: again?.instruction ?? null };
  const brief = (again && (await briefAgain(db, userId, again))) ?? decided;
  const earlier = earlierOf(texts, made.theses, { brief, topic });
  const data = { topic, voice, ...promptMemoryOf(earlier), examples: await examplesOf(db, userId) };
  return { brief, data, earlier };
}

export type Material = Awaited<ReturnType<typeof gatherMaterial>>;

/** The same beside the posts that are there by now; undefined when they are those of before. */
export async function withLatest(
  db: Db,
  userId: string,
  { brief, data, earlier }: Material,
): Promise<Material | undefined> {
  const texts = await listLastTexts(db, userId);
  if (texts[0] === earlier.latest) return undefined;
  const { theses } = await listMade(db, userId);
  const latest = earlierOf(texts, theses, { brief, topic: data.topic });
  return { brief, data: { ...data, ...promptMemoryOf(latest) }, earlier: latest };
}

/** The same with less to read, for a writer that cannot take all of it: what the text is held against stays. */
export const withLess = ({ data, ...material }: Material): Material => ({
  ...material,
  data: {
    ...data,
    examples: [],
    openings: data.openings.slice(0, 3),
    closings: data.closings.slice(0, 3),
    theses: data.theses.slice(0, 5),
    phrases: data.phrases.slice(0, 5),
  },
});
