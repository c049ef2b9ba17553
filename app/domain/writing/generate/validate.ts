import type { Db } from '#app/db/client.ts';
import { nearestSimilarity } from '#app/domain/posts/memory/memory.ts';
import { nearestOf } from '#app/domain/posts/memory/similarity.ts';
import { MEMORY_GATES } from '#app/domain/writing/gates/memory.ts';
import { type Finding, type GateContext, gatesOf } from '#app/domain/writing/gates/run.ts';
import { type Again, type Material, withLatest } from './context.ts';
import type { Draft } from './draft.ts';
import { instructionLines } from './load-prompts.ts';
import { buildPrompt } from './prompt.ts';

/** Above this two texts count as the same post in other words (of their trigrams, 0 to 1). */
const MOST_SIMILARITY = 0.6;

/** What a text is held against: what the prompt carried, and the posts before it. */
export const againstOf = ({ brief, data, earlier }: Material, given: string): GateContext => ({
  topic: data.topic,
  given,
  rules: instructionLines,
  language: brief.language,
  hasEmoji: brief.hasEmoji,
  isChecklist: brief.angle === 'checklist',
  openings: earlier.openings,
  closings: earlier.closings,
  theses: earlier.theses,
  phrases: earlier.phrases,
  avoided: data.voice.wordsToAvoid,
  facts: brief.facts.map(({ content }) => content),
});

const TOO_NEAR: Finding = {
  gate: 'similar',
  forWriter: 'It is too close to an earlier post of the author; choose another angle.',
  forUser: 'It was nearly one of your earlier posts',
};

const isNear = (text: string, others: string[]) => nearestOf(text, others) > MOST_SIMILARITY;

/** What is wrong with a text beside its author's examples and the posts before it, but for the one whose place it takes. */
async function lookNearby(
  db: Db,
  userId: string,
  { data: { examples } }: Material,
  { content }: Draft,
  again?: Again,
): Promise<Finding[]> {
  const others = again ? examples.filter((each) => !isNear(each, [again.content])) : examples;
  if (isNear(content, others)) return [TOO_NEAR];
  const nearest = await nearestSimilarity(db, userId, content, new Date(), again?.postId);
  return nearest <= MOST_SIMILARITY ? [] : [TOO_NEAR];
}

/** What is wrong with a text beside posts that were ready before it, and the material with these. */
export async function lookAgain(
  db: Db,
  userId: string,
  before: Material,
  draft: Draft,
): Promise<{ findings: Finding[]; material: Material }> {
  const material = (await withLatest(db, userId, before)) ?? before;
  const { given } = buildPrompt(material.brief, material.data);
  const alike = material === before ? [] : gatesOf(draft, againstOf(material, given), MEMORY_GATES);
  const findings = alike.length > 0 ? alike : await lookNearby(db, userId, material, draft);
  return { findings, material };
}

type Asking = { db: Db; userId: string; material: Material; against: GateContext; again?: Again };

/** What is wrong with a text; the posts before it are looked at when nothing else is. */
export async function findingsOf(
  { db, userId, material, against, again }: Asking,
  draft: Draft,
): Promise<Finding[]> {
  const findings = gatesOf(draft, against);
  return findings.length > 0 ? findings : lookNearby(db, userId, material, draft, again);
}
