import type { Db } from '#app/db/client.ts';
import { nearestSimilarity } from '#app/domain/posts/memory.ts';
import type { Draft } from './draft.ts';
import { type Finding, type GateContext, gatesOf } from './gates.ts';
import type { Again, Material } from './material.ts';
import { instructionLines } from './prompt-texts.ts';

/** Above this two texts count as the same post in other words (of their trigrams, 0 to 1). */
const MOST_SIMILARITY = 0.6;

/** What a text is held against: what the prompt carried, and the posts before it. */
export const againstOf = ({ brief, data, closings }: Material, given: string): GateContext => ({
  ...{ topic: data.topic, given, closings, rules: instructionLines },
  ...{ language: brief.language, hasEmoji: brief.hasEmoji, isChecklist: brief.angle === 'checklist' },
  ...{ openings: data.openings, theses: data.theses, phrases: data.phrases },
  avoided: data.voice.wordsToAvoid,
  facts: brief.facts.map(({ content }) => content),
});

const TOO_NEAR: Finding = {
  gate: 'similar',
  forWriter: 'It is too close to an earlier post of the author; choose another angle.',
  forUser: 'It was nearly one of your earlier posts',
};

/** What is wrong with a text beside the posts before it, but for the one that it takes the place of. */
export async function lookNearby(
  db: Db,
  userId: string,
  { content }: Draft,
  butPostId?: string,
): Promise<Finding[]> {
  const asked = { butPostId, least: MOST_SIMILARITY };
  const nearest = await nearestSimilarity(db, userId, content, new Date(), asked);
  return nearest <= MOST_SIMILARITY ? [] : [TOO_NEAR];
}

type Asking = { db: Db; userId: string; against: GateContext; again?: Again };

/** What is wrong with a text; the posts before it are looked at when nothing else is. */
export async function findingsOf({ db, userId, against, again }: Asking, draft: Draft): Promise<Finding[]> {
  const findings = gatesOf(draft, against);
  return findings.length > 0 ? findings : lookNearby(db, userId, draft, again?.postId);
}
