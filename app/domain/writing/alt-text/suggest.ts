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
import { inTime } from '#app/domain/writing/generate/timeout.ts';
import { CeilingReached, countAnswer, takeCall } from '#app/domain/writing/usage-limits.ts';
import { type FetchedImage, ImageRefused } from '#app/integrations/http/fetch-image.ts';
import { askWriter, type Message, type Question } from '#app/integrations/openai/ask.ts';
import { PictureUnseen, WriterBusy, WriterFault } from '#app/integrations/openai/errors.ts';
import type { Problem } from '#app/integrations/openai/responses.ts';
import { faultsOf, isBlind, languageOf, Seen, tidySeen } from './alt-text.ts';
import { withPicture } from './concurrency.ts';

const WITHIN_MS = 30_000;
const MOST_ANSWERS = 2;
const FAULT = 'writer-pictures';

const YOURSELF = 'You can describe the picture yourself';
const BUSY = 'The writer did not answer. Please try again in a moment';
/** One picture can show nothing, or words that have the writer say so. */
const IF_ALWAYS = 'If it says so of every picture, OPENAI_MODEL has to name one that looks at pictures.';
/** Each user has one picture looked at. */
const looking = new Set<string>();

const refusal = (status: 429 | 502 | 503, code: string, sentence: string, field = 'altText') =>
  new Refusal(status, code, sentence, { field });

/**
 * One sentence for people who cannot see the picture beside a post, as both stand in the editor; nothing is stored.
 * Whatever goes wrong is a Refusal. Nothing more is asked once `gone` is aborted.
 */
export async function suggestAltText(
  db: Db,
  actor: Actor,
  { postId, ...input }: PictureInput & { postId: string },
  { gone, withinMs = WITHIN_MS }: { gone?: AbortSignal; withinMs?: number } = {},
): Promise<string> {
  const { userId } = actor;
  if (!isId(postId) || !(await findText(db, userId, postId))) throw notFound('This post');
  await requireActive(db, userId);
  if (looking.has(userId)) throw refusal(429, 'already_begun', 'The writer is looking at a picture already');
  looking.add(userId);
  try {
    return await inTime(withinMs, (late) => {
      const signal = gone ? AbortSignal.any([late, gone]) : late;
      return withPicture(input.imageUrl, signal, (picture) =>
        look(db, userId, picture, input.content, signal),
      );
    });
  } catch (error) {
    throw gone?.aborted ? refusal(503, 'writer_busy', BUSY) : await inWords(db, error);
  } finally {
    looking.delete(userId);
  }
}

async function look(
  db: Db,
  userId: string,
  picture: FetchedImage,
  content: string,
  signal: AbortSignal,
): Promise<string> {
  const asked = altTextPrompt(picture, content, languageOf(content));
  let again: Message[] = [];
  for (let answers = 0; answers < MOST_ANSWERS; answers += 1) {
    const question = { name: 'alt_text', shape: Seen, messages: [...asked, ...again], signal };
    const { answer, problem, text, model } = await askCounted(db, userId, question);
    if (problem) throw unanswered(problem);
    const description = tidySeen(answer.description ?? '');
    if (answer.description === null || isBlind(description)) {
      await reportFault(db, FAULT, `${model} says that it sees no picture. ${IF_ALWAYS}`);
      throw refusal(502, 'unseen', `The writer says that it sees nothing in this picture. ${YOURSELF}`);
    }
    const faults = faultsOf(description, content);
    if (faults.length === 0) {
      await retryWhenAvailable(() => clearFaults(db, FAULT));
      return description;
    }
    again = fixPrompt(text, faults);
  }
  throw refusal(502, 'no_description', `The writer found no good words for this picture. ${YOURSELF}`);
}

/** Counts the call, and what it costs. */
async function askCounted(db: Db, userId: string, question: Question<Seen>) {
  question.signal.throwIfAborted();
  await takeCall(db, userId);
  const answer = await askWriter(question);
  await retryWhenAvailable(() => countAnswer(db, userId, answer));
  return answer;
}

/** What the owner of a picture is told of an answer that is none. */
function unanswered(problem: Problem): Refusal {
  if (problem === 'declined' || problem === 'filtered' || problem === 'against-policy') {
    return refusal(502, 'declined', `The writer declined to describe this picture. ${YOURSELF}`);
  }
  if (problem === 'too-much-context') {
    return refusal(502, 'too_large', `The picture is too large for the writer. ${YOURSELF}`);
  }
  return refusal(502, 'no_description', `The writer’s answer could not be read. Please try again`);
}

/** Everything that is no fault of ours, as a Refusal; what only the operator can mend is reported. */
async function inWords(db: Db, error: unknown): Promise<unknown> {
  if (error instanceof ImageRefused) {
    return new Refusal(422, 'no_picture', error.message, { field: 'imageUrl' });
  }
  if (error instanceof CeilingReached) return refusal(429, 'ceiling', error.message);
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
