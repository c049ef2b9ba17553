import type { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { nearestSimilarity } from '#app/domain/posts/memory.ts';
import type { WritingTopic } from '#app/domain/topics/turns.ts';
import { env } from '#app/env.ts';
import { askWriter, type Message } from '#app/integrations/openai.ts';
import { WriterBusy, WriterFault } from '#app/integrations/writer-errors.ts';
import { BAD_ANSWER } from './bad-answers.ts';
import type { Composed } from './briefs.ts';
import { problemsOf, tidyHashtags } from './checks.ts';
import { Draft, Reread } from './draft.ts';
import { gatherMaterial, type Material } from './material.ts';
import { askToMend, askToReread, buildPrompt } from './prompt.ts';

const MOST_TRIES = 3;
/** Above this two texts count as the same post in other words (pg_trgm similarity, 0 to 1). */
const MOST_SIMILARITY = 0.6;

export type Usage = { model: string | null; inputTokens: number; outputTokens: number };
/** What the writer has answered for one place so far: how often, the last text, and what was wrong with it. */
export type Tries = { answers: number; rejections: string[]; rejected: string | null };
export type Written = { composed: Composed; problem?: undefined } | { composed?: undefined; problem: string };

type Asking = {
  db: Db;
  userId: string;
  material: Material;
  given: string;
  asked: Message[];
  usage: Usage;
  signal: AbortSignal;
};

/**
 * Decides a brief and asks the writer for its post until an answer passes every gate, at most 3 times with those
 * that `tries` knows of; then the text is read once more. `usage` adds up what the answers cost, taken or not. Throws
 * WriterBusy and WriterFault. Nothing is asked any more once `signal` is aborted; `tries` then says how far it came.
 */
export async function writeChecked(
  db: Db,
  userId: string,
  topic: WritingTopic,
  usage: Usage,
  tries: Tries,
  signal: AbortSignal,
): Promise<Written> {
  const material = await gatherMaterial(db, userId, topic);
  const { messages, given } = buildPrompt(material.brief, material.data);
  const asking = { db, userId, material, given, asked: messages, usage, signal };
  while (tries.answers < MOST_TRIES) {
    const again = tries.rejected ? askToMend(tries.rejected, tries.rejections) : [];
    const answer = await ask(asking, Draft, again);
    tries.answers += 1;
    tries.rejected = answer.text ?? null;
    if (answer.problem) {
      tries.rejections = [BAD_ANSWER[answer.problem]];
      continue;
    }
    const draft = tidy(answer.answer);
    tries.rejections = await rejectionsOf(asking, draft);
    if (tries.rejections.length === 0) return { composed: await reread(asking, draft, answer.text) };
  }
  return { problem: tries.rejections.join(' ') };
}

/** Asks with the conversation so far; counts what it costs. */
async function ask<T>({ asked, usage, signal }: Asking, shape: z.ZodType<T>, again: Message[]) {
  signal.throwIfAborted();
  const answer = await askWriter({ name: 'linkedin_post', shape, messages: [...asked, ...again], signal });
  usage.model = answer.model;
  usage.inputTokens += answer.inputTokens;
  usage.outputTokens += answer.outputTokens;
  return answer;
}

const compose = ({ material: { brief } }: Asking, draft: Draft, findings: string[] = []): Composed => ({
  ...{ brief, draft, findings },
  ...{ score: 0, reasons: [] },
});

/**
 * The second pass: the text is read as by an outsider, and what is found is mended. A mended text that does not pass
 * the gates goes back once; where nothing better comes, the first one stands.
 */
async function reread(asking: Asking, draft: Draft, text: string): Promise<Composed> {
  if (env().WRITER_PASSES < 2) return compose(asking, draft);
  try {
    const seen = askToReread(text);
    const first = await ask(asking, Reread, seen);
    if (!first.answer || first.answer.findings.length === 0) return compose(asking, draft);
    const { findings } = first.answer;
    const mended = tidy(first.answer);
    const rejections = await rejectionsOf(asking, mended);
    if (rejections.length === 0) return compose(asking, mended, findings);
    const last = await ask(asking, Draft, [...seen, ...askToMend(first.text, rejections)]);
    const isBetter = last.answer && (await rejectionsOf(asking, tidy(last.answer))).length === 0;
    return isBetter ? compose(asking, tidy(last.answer!), findings) : compose(asking, draft);
  } catch (error) {
    // The first text is good enough to go out, and was paid for.
    if (error instanceof WriterBusy || error instanceof WriterFault) return compose(asking, draft);
    throw error;
  }
}

const tidy = ({ content, hashtags, thesis, claims }: Draft): Draft => ({
  ...{ thesis: thesis.trim(), claims },
  content: content.replace(/\r\n?/g, '\n').trim(),
  hashtags: tidyHashtags(hashtags),
});

/** What is wrong with an answer, as sentences for the writer. */
async function rejectionsOf({ db, userId, material, given }: Asking, draft: Draft): Promise<string[]> {
  const problems = problemsOf(draft, { topic: material.data.topic, given });
  if (problems.length > 0) return problems;
  const isNew = (await nearestSimilarity(db, userId, draft.content)) <= MOST_SIMILARITY;
  return isNew ? [] : ['It is too close to an earlier post of the author; choose another angle.'];
}
