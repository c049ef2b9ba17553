import type { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import type { Fault } from '#app/domain/writing/gates/gate.ts';
import { type GateContext, storable, tidyDraft, tidyRemarks } from '#app/domain/writing/gates/run.ts';
import type { Tries } from '#app/domain/writing/runs/attempts.ts';
import { giveUpCall, type ItemCall } from '#app/domain/writing/runs/call-accounting.ts';
import { countAnswer, takeCall } from '#app/domain/writing/usage-limits.ts';
import { env } from '#app/env.ts';
import { askWriter, type Message } from '#app/integrations/openai/ask.ts';
import { WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import type { Problem } from '#app/integrations/openai/responses.ts';
import { BAD_ANSWERS, type Lies } from './bad-outputs.ts';
import type { Composed } from './brief-store.ts';
import { type Again, type Material, withLess } from './context.ts';
import { Draft, Reread } from './draft.ts';
import { buildPrompt, fixPrompt, rereadPrompt, rewritePrompt } from './prompt.ts';
import { specificityOf } from './specificity.ts';
import { againstOf, findingsOf } from './validate.ts';

const MAX_ATTEMPTS = 3;
/** Of a text that is shown to the writer again. */
const MOST_SHOWN = 6_000;
/** So many reasons are told to the user; the writer gets all of them. */
const MOST_TOLD = 3;

export type Usage = { model: string | null; inputTokens: number; outputTokens: number };
export type Written =
  | { composed: Composed; problem?: undefined }
  | { composed?: undefined; problem: string; lies: Lies };

type Asking = {
  db: Db;
  userId: string;
  /** What is written; who tries the writer out has none. */
  place?: ItemCall;
  material: Material;
  against: GateContext;
  asked: Message[];
  usage: Usage;
  signal: AbortSignal;
  /** The post that is written again; the new text may be like it. */
  again?: Again;
};

export const noUsage = (): Usage => ({ model: null, inputTokens: 0, outputTokens: 0 });

type Question = Omit<Asking, 'against' | 'asked'> & {
  tries: Tries;
  /** Is given the post that passed, before it is read once more: it stands when that does not come to an end. */
  onReady?: (composed: Composed) => void;
};

/**
 * Asks the writer for the post of a brief until an answer passes every gate, at most 3 times with those that `tries`
 * knows of; then the text is read once more. `usage` adds up what the answers cost, taken or not. Throws
 * WriterBusy, WriterFault and Cancelled. Nothing is asked any more once `signal` is aborted; `tries` then says how far it came.
 */
export async function writeChecked({ tries, material, onReady, ...rest }: Question): Promise<Written> {
  let asking = askingAbout(material, rest);
  let last: { problem: string; lies: Lies } = { problem: sentenceOf(tries), lies: 'text' };
  while (tries.answers < MAX_ATTEMPTS) {
    const answer = await askCounted(asking, Draft, saidBefore(tries));
    tries.answers += 1;
    if (answer.problem) {
      const { forWriter, forUser, lies } = BAD_ANSWERS[answer.problem];
      last = { problem: forUser, lies };
      if (isSettled(answer.problem, tries)) break;
      if (answer.problem === 'too-much-context') asking = askingAbout(withLess(asking.material), asking);
      recordAttempt(tries, lies === 'subject' ? undefined : answer.text, [{ forWriter, forUser }]);
      continue;
    }
    const draft = tidyDraft(answer.answer);
    // The answer was paid for.
    recordAttempt(tries, answer.text, await retryWhenAvailable(() => findingsOf(asking, draft)));
    if (tries.rejections.length === 0) {
      onReady?.(compose(asking, draft));
      return { composed: await reread(asking, draft, answer.text) };
    }
    last = { problem: sentenceOf(tries), lies: 'text' };
  }
  return last;
}

type Rest = Omit<Asking, 'material' | 'against' | 'asked'>;

/** What the author of a post that is written again has put into its text may stay there. */
function askingAbout(material: Material, rest: Rest): Asking {
  const { messages, given } = buildPrompt(material.brief, material.data);
  const { again } = rest;
  if (!again?.instruction) {
    return { ...rest, material, against: againstOf(material, given), asked: messages };
  }
  const asked = [...messages, ...rewritePrompt(again.content)];
  return { ...rest, material, against: againstOf(material, `${given}\n${again.content}`), asked };
}

/** Remembers an answer with what is wrong with it, for the next call and for the user; nothing is when it passes. */
export function recordAttempt(tries: Tries, text: string | undefined, faults: Fault[]): void {
  tries.rejections = faults.map(({ forWriter }) => forWriter);
  tries.complaints = faults.map(({ forUser }) => forUser);
  tries.rejected = text === undefined ? null : storable(text.slice(0, MOST_SHOWN));
}

/** As one clause after a colon. */
const sentenceOf = ({ complaints }: Tries) =>
  complaints
    .slice(0, MOST_TOLD)
    .map((complaint) => complaint.charAt(0).toLowerCase() + complaint.slice(1))
    .join('; ');

/** A model may take another angle once; what the rules of its server rule out, they rule out again. */
function isSettled(problem: Problem, { rejections }: Tries): boolean {
  const { forWriter, lies } = BAD_ANSWERS[problem];
  return problem === 'against-policy' || (lies === 'subject' && rejections.includes(forWriter));
}

/** The text that was not taken, where there is one, and why. */
function saidBefore({ rejected, rejections }: Tries): Message[] {
  if (rejections.length === 0) return [];
  const said = fixPrompt(rejected ?? '', rejections);
  return rejected ? said : said.slice(1);
}

/** Asks with the conversation so far; counts the call, and what it costs. */
async function askCounted<T>(
  { db, userId, place, asked, usage, signal }: Asking,
  shape: z.ZodType<T>,
  again: Message[],
) {
  signal.throwIfAborted();
  await takeCall(db, userId, place);
  const messages = [...asked, ...again];
  const asking = askWriter({ name: 'linkedin_post', shape, messages, signal });
  const answer = await asking.catch(async (error) => {
    if (place) await retryWhenAvailable(() => giveUpCall(db, place));
    throw error;
  });
  usage.model = answer.model;
  usage.inputTokens += answer.inputTokens;
  usage.outputTokens += answer.outputTokens;
  await retryWhenAvailable(() => countAnswer(db, userId, answer, place));
  return answer;
}

const compose = (
  { material: { brief }, against }: Asking,
  draft: Draft,
  findings: string[] = [],
): Composed => ({
  brief,
  draft,
  findings,
  ...specificityOf(draft, against),
});

/**
 * The second pass: the text is read as by an outsider, and what is found is mended. A mended text that does not pass
 * the gates goes back once; where nothing better comes, the first one stands.
 */
async function reread(asking: Asking, draft: Draft, text: string): Promise<Composed> {
  if (env().WRITER_PASSES < 2) return compose(asking, draft);
  try {
    const seen = rereadPrompt(text);
    const first = await askCounted(asking, Reread, seen);
    if (!first.answer || first.answer.findings.length === 0) return compose(asking, draft);
    const findings = tidyRemarks(first.answer.findings);
    const mended = tidyDraft(first.answer);
    const broken = (await retryWhenAvailable(() => findingsOf(asking, mended))).map(
      ({ forWriter }) => forWriter,
    );
    if (broken.length === 0) return compose(asking, mended, findings);
    const last = await askCounted(asking, Draft, [...seen, ...fixPrompt(first.text, broken)]);
    const better = last.answer && tidyDraft(last.answer);
    const isBetter = better && (await retryWhenAvailable(() => findingsOf(asking, better))).length === 0;
    return isBetter ? compose(asking, better, findings) : compose(asking, draft);
  } catch (error) {
    // The first text is good enough to go out, and was paid for.
    if (error instanceof WriterBusy || error instanceof WriterFault) return compose(asking, draft);
    throw error;
  }
}
