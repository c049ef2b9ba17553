import type { Db } from '#app/db/client.ts';
import { retryWhenAvailable } from '#app/db/retry-when-available.ts';
import { requireActive } from '#app/domain/accounts/lifecycle/deletion-requests.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { clearFaults, reportFault } from '#app/domain/platform/operator-alerts.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { notFound, Refusal } from '#app/domain/platform/refusal.ts';
import { findText } from '#app/domain/posts/rows.ts';
import type { PictureInput } from '#app/domain/posts/schema.ts';
import { altTextPrompt, fixPrompt } from '#app/domain/writing/generate/prompt.ts';
import { withTimeout } from '#app/domain/writing/generate/timeout.ts';
import { countCall, countTokens, UsageLimitReached } from '#app/domain/writing/usage-limits.ts';
import { type FetchedImage, ImageRefused } from '#app/integrations/http/fetch-image.ts';
import { type CompletionRequest, type Message, requestCompletion } from '#app/integrations/openai/ask.ts';
import { PictureUnseen, WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import type { Problem } from '#app/integrations/openai/responses.ts';
import { AltTextOutput, findAltTextFaults, languageOf, saysNoImage, tidyAltText } from './alt-text.ts';
import { withImageSlot } from './concurrency.ts';

const TIMEOUT_MS = 30_000;
const ATTEMPTS_MAX = 2;
const FAULT = 'writer-pictures';

const YOURSELF = 'You can describe the picture yourself';
const BUSY = 'The writer did not answer. Please try again in a moment';
/** A single picture may show nothing, or text that makes the writer say so. */
const IF_ALWAYS = 'If it says so of every picture, OPENAI_MODEL has to name one that looks at pictures.';
/** The users with a suggestion in progress: each may have one. */
const activeUsers = new Set<string>();

const refusal = (status: 429 | 502 | 503, code: string, message: string, field = 'altText') =>
  new Refusal(status, code, message, { field });

/**
 * Suggests alt text for an image and a post as they are in the editor; nothing is stored. Throws a Refusal for every
 * failure that is not a bug. `disconnected` aborts the work when the client disconnects.
 */
export async function suggestAltText(
  db: Db,
  actor: Actor,
  { postId, ...input }: PictureInput & { postId: string },
  { disconnected, withinMs = TIMEOUT_MS }: { disconnected?: AbortSignal; withinMs?: number } = {},
): Promise<string> {
  const { userId } = actor;
  if (!isId(postId) || !(await findText(db, userId, postId))) throw notFound('This post');
  await requireActive(db, userId);
  if (activeUsers.has(userId))
    throw refusal(429, 'already_begun', 'The writer is looking at a picture already');
  activeUsers.add(userId);
  try {
    return await withTimeout(withinMs, (late) => {
      const signal = disconnected ? AbortSignal.any([late, disconnected]) : late;
      return withImageSlot(input.imageUrl, signal, (picture) =>
        describe(db, userId, picture, input.content, signal),
      );
    });
  } catch (error) {
    throw disconnected?.aborted ? refusal(503, 'writer_busy', BUSY) : await toRefusal(db, error);
  } finally {
    activeUsers.delete(userId);
  }
}

async function describe(
  db: Db,
  userId: string,
  picture: FetchedImage,
  content: string,
  signal: AbortSignal,
): Promise<string> {
  const prompt = altTextPrompt(picture, content, languageOf(content));
  let feedback: Message[] = [];
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt += 1) {
    const question = { name: 'alt_text', shape: AltTextOutput, messages: [...prompt, ...feedback], signal };
    const { answer, problem, text, model } = await callWriter(db, userId, question);
    if (problem) throw problemRefusal(problem);
    const description = tidyAltText(answer.description ?? '');
    if (answer.description === null || saysNoImage(description)) {
      await reportFault(db, FAULT, `${model} says that it sees no picture. ${IF_ALWAYS}`);
      throw refusal(502, 'unseen', `The writer says that it sees nothing in this picture. ${YOURSELF}`);
    }
    const faults = findAltTextFaults(description, content);
    if (faults.length === 0) {
      await retryWhenAvailable(() => clearFaults(db, FAULT));
      return description;
    }
    feedback = fixPrompt(text, faults);
  }
  throw refusal(502, 'no_description', `The writer found no good words for this picture. ${YOURSELF}`);
}

async function callWriter(db: Db, userId: string, question: CompletionRequest<AltTextOutput>) {
  question.signal.throwIfAborted();
  await countCall(db, userId);
  const response = await requestCompletion(question);
  await retryWhenAvailable(() => countTokens(db, userId, response));
  return response;
}

function problemRefusal(problem: Problem): Refusal {
  if (problem === 'declined' || problem === 'filtered' || problem === 'against-policy') {
    return refusal(502, 'declined', `The writer declined to describe this picture. ${YOURSELF}`);
  }
  if (problem === 'too-much-context') {
    return refusal(502, 'too_large', `The picture is too large for the writer. ${YOURSELF}`);
  }
  return refusal(502, 'no_description', `The writer’s answer could not be read. Please try again`);
}

/** Maps expected errors to a Refusal, and reports those that only the operator can fix. */
async function toRefusal(db: Db, error: unknown): Promise<unknown> {
  if (error instanceof ImageRefused) {
    return new Refusal(422, 'no_picture', error.message, { field: 'imageUrl' });
  }
  if (error instanceof UsageLimitReached) return refusal(429, 'ceiling', error.message);
  if (error instanceof WriterBusy) return refusal(503, 'writer_busy', BUSY);
  if (error instanceof PictureUnseen && !error.isBlind) {
    return refusal(502, 'unreadable', `The writer cannot read this picture. ${YOURSELF}`);
  }
  if (error instanceof PictureUnseen) {
    const cure = 'Until OPENAI_MODEL names one that does, nobody gets a description suggested.';
    await reportFault(db, FAULT, `${error.message}. ${cure}`);
    return refusal(502, 'blind', `The writer does not look at pictures here. ${YOURSELF}`);
  }
  if (error instanceof WriterFault) {
    await reportFault(db, FAULT, `No description of a picture: ${error.message}`);
    return refusal(502, 'writer_fault', `The writer cannot be asked at the moment. We know about it`);
  }
  return error;
}
