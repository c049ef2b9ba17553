import type { Db } from '#app/db/client.ts';
import { nearestSimilarity } from '#app/domain/posts/memory/memory.ts';
import { nearestOf } from '#app/domain/posts/memory/similarity.ts';
import { MEMORY_GATES } from '#app/domain/writing/gates/memory.ts';
import { type Finding, type GateContext, runGates } from '#app/domain/writing/gates/run.ts';
import { type PostContext, type RewrittenPost, withLatest } from './context.ts';
import type { Draft } from './draft.ts';
import { instructionLines } from './load-prompts.ts';
import { buildPrompt } from './prompt.ts';

/** Above this similarity of their trigrams (0 to 1), two texts count as the same post in other words. */
const SIMILARITY_MAX = 0.6;

export const gateContextOf = ({ brief, data, earlier }: PostContext, userInput: string): GateContext => ({
  topic: data.topic,
  userInput,
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

const TOO_SIMILAR: Finding = {
  gate: 'similar',
  forWriter: 'It is too close to an earlier post of the author; choose another angle.',
  forUser: 'It was nearly one of your earlier posts',
};

const isTooSimilar = (text: string, others: string[]) => nearestOf(text, others) > SIMILARITY_MAX;

/** Compares a text with the author's examples and earlier posts. A rewrite is not compared with the post it replaces. */
async function findSimilar(
  db: Db,
  userId: string,
  { data: { examples } }: PostContext,
  { content }: Draft,
  rewrite?: RewrittenPost,
): Promise<Finding[]> {
  const others = rewrite ? examples.filter((each) => !isTooSimilar(each, [rewrite.content])) : examples;
  if (isTooSimilar(content, others)) return [TOO_SIMILAR];
  const nearest = await nearestSimilarity(db, userId, content, new Date(), rewrite?.postId);
  return nearest <= SIMILARITY_MAX ? [] : [TOO_SIMILAR];
}

/** Validates a draft against posts that were stored since its context was loaded. Also returns the new context. */
export async function recheckMemory(
  db: Db,
  userId: string,
  before: PostContext,
  draft: Draft,
): Promise<{ findings: Finding[]; context: PostContext }> {
  const context = (await withLatest(db, userId, before)) ?? before;
  const { userInput } = buildPrompt(context.brief, context.data);
  const repeated = context === before ? [] : runGates(draft, gateContextOf(context, userInput), MEMORY_GATES);
  const findings = repeated.length > 0 ? repeated : await findSimilar(db, userId, context, draft);
  return { findings, context };
}

type ValidateInput = {
  db: Db;
  userId: string;
  context: PostContext;
  gateContext: GateContext;
  rewrite?: RewrittenPost;
};

/** Runs the gates on a draft. Earlier posts are compared only when the gates find nothing. */
export async function validateDraft(
  { db, userId, context, gateContext, rewrite }: ValidateInput,
  draft: Draft,
): Promise<Finding[]> {
  const findings = runGates(draft, gateContext);
  return findings.length > 0 ? findings : findSimilar(db, userId, context, draft, rewrite);
}
