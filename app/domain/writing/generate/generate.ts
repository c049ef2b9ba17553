import type { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import type { Fault } from '#app/domain/writing/gates/gate.ts';
import { type GateContext, storable, tidyDraft, tidyRemarks } from '#app/domain/writing/gates/run.ts';
import type { ItemAttempts } from '#app/domain/writing/runs/attempts.ts';
import { abandonCall, type ItemCall } from '#app/domain/writing/runs/call-accounting.ts';
import { countCall, countTokens } from '#app/domain/writing/usage-limits.ts';
import { env } from '#app/env.ts';
import { type Message, requestCompletion } from '#app/integrations/openai/ask.ts';
import { WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import type { Problem } from '#app/integrations/openai/responses.ts';
import { BAD_ANSWERS, type FailureCause } from './bad-outputs.ts';
import type { GeneratedPost } from './brief-store.ts';
import { type PostContext, type RewrittenPost, withLess } from './context.ts';
import { Draft, Reread } from './draft.ts';
import { buildPrompt, fixPrompt, rereadPrompt, rewritePrompt } from './prompt.ts';
import { specificityOf } from './specificity.ts';
import { gateContextOf, validateDraft } from './validate.ts';

const ATTEMPTS_MAX = 3;
/** Characters of a rejected text that the writer gets back. */
const REJECTED_MAX = 6_000;
/** Reasons that the user reads. The writer gets all of them. */
const COMPLAINTS_MAX = 3;

export type Usage = { model: string | null; inputTokens: number; outputTokens: number };
/** Why there is no post: `problem` is a clause for the user. */
export type GenerateFailure = { problem: string; cause: FailureCause };
export type GenerateResult =
  | { post: GeneratedPost; problem?: undefined }
  | ({ post?: undefined } & GenerateFailure);

type GenerateOptions = {
  db: Db;
  userId: string;
  /** The item of a run; scripts that try the writer have none. */
  item?: ItemCall;
  usage: Usage;
  signal: AbortSignal;
  /** The post that is rewritten; the new text may be like it. */
  rewrite?: RewrittenPost;
};

type Generation = GenerateOptions & {
  context: PostContext;
  gateContext: GateContext;
  messages: Message[];
};

type GenerateInput = GenerateOptions & {
  context: PostContext;
  attempts: ItemAttempts;
  /** Called with the post that passed the gates, before the second pass. It is used when that does not finish. */
  onReady?: (post: GeneratedPost) => void;
};

export const noUsage = (): Usage => ({ model: null, inputTokens: 0, outputTokens: 0 });

/**
 * Calls the writer until a draft passes every gate, at most 3 times including the earlier `attempts`, then makes the
 * second pass. `usage` adds up the tokens of all responses. Throws WriterBusy, WriterFault and Cancelled. No call begins
 * once `signal` is aborted; `attempts` then holds the progress.
 */
export async function generatePost({
  attempts,
  context,
  onReady,
  ...options
}: GenerateInput): Promise<GenerateResult> {
  let generation = prepare(context, options);
  let failure: GenerateFailure = { problem: joinComplaints(attempts), cause: 'text' };
  while (attempts.answers < ATTEMPTS_MAX) {
    const response = await callWriter(generation, Draft, feedbackMessages(attempts));
    attempts.answers += 1;
    if (response.problem) {
      const { forWriter, forUser, cause } = BAD_ANSWERS[response.problem];
      failure = { problem: forUser, cause };
      if (isFinal(response.problem, attempts)) break;
      if (response.problem === 'too-much-context')
        generation = prepare(withLess(generation.context), options);
      recordAttempt(attempts, cause === 'subject' ? undefined : response.text, [{ forWriter, forUser }]);
      continue;
    }
    const draft = tidyDraft(response.answer);
    const findings = await retryWhenAvailable(() => validateDraft(generation, draft));
    recordAttempt(attempts, response.text, findings);
    if (findings.length === 0) {
      onReady?.(toGeneratedPost(generation, draft));
      return { post: await reread(generation, draft, response.text) };
    }
    failure = { problem: joinComplaints(attempts), cause: 'text' };
  }
  return failure;
}

/** In a rewrite by instruction, the text may keep what the author put into the post. */
function prepare(context: PostContext, options: GenerateOptions): Generation {
  const { messages, userInput } = buildPrompt(context.brief, context.data);
  const { rewrite } = options;
  if (!rewrite?.instruction) {
    return { ...options, context, gateContext: gateContextOf(context, userInput), messages };
  }
  return {
    ...options,
    context,
    gateContext: gateContextOf(context, `${userInput}\n${rewrite.content}`),
    messages: [...messages, ...rewritePrompt(rewrite.content)],
  };
}

/** Records a response with its faults, for the next call and for the user. There are none when the draft passed. */
export function recordAttempt(attempts: ItemAttempts, text: string | undefined, faults: Fault[]): void {
  attempts.rejections = faults.map(({ forWriter }) => forWriter);
  attempts.complaints = faults.map(({ forUser }) => forUser);
  attempts.rejected = text === undefined ? null : storable(text.slice(0, REJECTED_MAX));
}

const joinComplaints = ({ complaints }: ItemAttempts) =>
  complaints
    .slice(0, COMPLAINTS_MAX)
    .map((complaint) => complaint.charAt(0).toLowerCase() + complaint.slice(1))
    .join('; ');

/** A model that declined may try another angle once. The rules of its server do not change. */
function isFinal(problem: Problem, { rejections }: ItemAttempts): boolean {
  const { forWriter, cause } = BAD_ANSWERS[problem];
  return problem === 'against-policy' || (cause === 'subject' && rejections.includes(forWriter));
}

function feedbackMessages({ rejected, rejections }: ItemAttempts): Message[] {
  if (rejections.length === 0) return [];
  const messages = fixPrompt(rejected ?? '', rejections);
  return rejected ? messages : messages.slice(1);
}

async function callWriter<T>(
  { db, userId, item, messages, usage, signal }: Generation,
  shape: z.ZodType<T>,
  followUp: Message[],
) {
  signal.throwIfAborted();
  await countCall(db, userId, item);
  const question = { name: 'linkedin_post', shape, messages: [...messages, ...followUp], signal };
  const response = await requestCompletion(question).catch(async (error) => {
    if (item) await retryWhenAvailable(() => abandonCall(db, item));
    throw error;
  });
  usage.model = response.model;
  usage.inputTokens += response.inputTokens;
  usage.outputTokens += response.outputTokens;
  await retryWhenAvailable(() => countTokens(db, userId, response, item));
  return response;
}

const toGeneratedPost = (
  { context: { brief }, gateContext }: Generation,
  draft: Draft,
  findings: string[] = [],
): GeneratedPost => ({ brief, draft, findings, ...specificityOf(draft, gateContext) });

/**
 * The second pass: the writer reads the text as an outsider and corrects what it finds. A correction that fails the
 * gates is returned to the writer once. Without a correction that passes, the first text is used.
 */
async function reread(generation: Generation, draft: Draft, text: string): Promise<GeneratedPost> {
  if (env().WRITER_PASSES < 2) return toGeneratedPost(generation, draft);
  const validate = (each: Draft) => retryWhenAvailable(() => validateDraft(generation, each));
  try {
    const prompt = rereadPrompt(text);
    const first = await callWriter(generation, Reread, prompt);
    if (!first.answer || first.answer.findings.length === 0) return toGeneratedPost(generation, draft);
    const findings = tidyRemarks(first.answer.findings);
    const corrected = tidyDraft(first.answer);
    const faults = (await validate(corrected)).map(({ forWriter }) => forWriter);
    if (faults.length === 0) return toGeneratedPost(generation, corrected, findings);
    const last = await callWriter(generation, Draft, [...prompt, ...fixPrompt(first.text, faults)]);
    const better = last.answer && tidyDraft(last.answer);
    const isBetter = better && (await validate(better)).length === 0;
    return isBetter ? toGeneratedPost(generation, better, findings) : toGeneratedPost(generation, draft);
  } catch (error) {
    // The first text passed the gates.
    if (error instanceof WriterBusy || error instanceof WriterFault)
      return toGeneratedPost(generation, draft);
    throw error;
  }
}
