import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { POST_WAITS } from '#app/domain/posts/limits.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { findRequestedAgain } from '#app/domain/publishing/approval/approve.ts';
import { findBrief } from '#app/domain/writing/generate/brief-store.ts';
import { INSTRUCTIONS } from '#app/domain/writing/limits.ts';
import { findLatestRewrite, listTexts, type OtherText } from '#app/domain/writing/rewrite/rewrite.ts';
import { secondsLeft } from '#app/domain/writing/runs/progress.ts';
import { presentSpecificity } from '#app/routes/posts/present-specificity.ts';
import { compareTexts } from './diff.ts';

const MINUTE_MS = 60_000;
const SHOWN_MS = 10 * MINUTE_MS;
const SLOW_MS = 2 * MINUTE_MS;
const NOT_WRITTEN = 'It could not be written this time. Please try again';

const fullText = ({ content, hashtags }: { content: string; hashtags: string[] }) =>
  hashtags.length === 0 ? content : `${content}\n\n${hashtags.map((tag) => `#${tag}`).join(' ')}`;

/** Why the text can't be changed any more; null if it can. */
function whyFixed({ status, isUnconfirmed, isPublishing, visibility }: Post): string | null {
  if (visibility !== 'PUBLIC') return 'A test post goes out as it is.';
  if (status === 'published') return 'This post is published, so its text stays.';
  if (isUnconfirmed)
    return 'LinkedIn did not confirm this post. Say first whether it is there, in Post History.';
  return isPublishing ? 'This post is on its way to LinkedIn, so its text stays.' : null;
}

const isOutdated = (run: { finishedAt: Date | null }, versions: OtherText[]) =>
  versions.some(({ createdAt }) => createdAt && run.finishedAt && createdAt > run.finishedAt);

async function presentRewriting(actor: Actor, postId: string, versions: OtherText[], now: Date) {
  const run = await findLatestRewrite(db(), actor, postId, now);
  if (!run || isOutdated(run, versions)) return null;
  const age = now.getTime() - run.createdAt.getTime();
  const isOpen = run.status !== 'complete';
  if (!isOpen && age > SHOWN_MS) return null;
  const { instruction } = run;
  const secondsRemaining = await secondsLeft(db(), run, now);
  // A worker of an earlier release may end a run without an error text.
  const error = run.error ?? (isOpen || run.done > 0 ? null : NOT_WRITTEN);
  return {
    id: run.id,
    isOpen,
    isSlow: isOpen && age > SLOW_MS,
    secondsRemaining,
    elapsedSeconds: isOpen ? Math.round(age / 1_000) : 0,
    progressText:
      secondsRemaining === null ? 'Writing it again' : `Writing it again, about ${secondsRemaining} s left`,
    instruction,
    error: error && `${error.replace(/\.$/, '')}.`,
    /** What the user typed, so that they can try again. */
    typed: error && !INSTRUCTIONS.some((preset) => preset === instruction) ? instruction : null,
  };
}

/** How specific a generated text is. Edited texts have no score. */
function scoreText({ content, made }: OtherText): string | null {
  const { score, content: scored } = made ?? {};
  return typeof score === 'number' && score > 0 && scored === content ? `specific: ${score} of 100` : null;
}

const keptLabel = ({ createdAt }: OtherText, timeZone: string) =>
  createdAt ? `Kept ${formatInstant(createdAt, timeZone)}` : 'As it was written, before you changed it';

/** The versions. Only the open one is compared with the current text. */
function presentVersions(
  versions: OtherText[],
  requestedId: string | null,
  currentText: string,
  timeZone: string,
) {
  const open = versions.find(({ id }) => id === requestedId) ?? versions[0];
  return versions.map((version) => ({
    id: version.id,
    kept: [keptLabel(version, timeZone), scoreText(version)].filter(Boolean).join(' · '),
    opening: version.content.split('\n', 1)[0]!,
    pair: version === open ? compareTexts(fullText(version), currentText) : null,
  }));
}

/** Loads a post, its other versions, of which `?version=ID` opens one, and the state of a rewrite. */
export async function loadRewriting(actor: Actor, postId: string, query: URLSearchParams, now = new Date()) {
  const post = await findPost(db(), actor, postId);
  const text = fullText(post);
  const list = POST_WAITS[post.status] ? '/app/scheduled' : '/app/posts';
  const [versions, made, approval] = await Promise.all([
    listTexts(db(), { ...post, userId: actor.userId }),
    findBrief(db(), actor.userId, post.id),
    findRequestedAgain(db(), post),
  ]);
  return {
    id: post.id,
    text,
    why: whyFixed(post),
    topic: post.topicName,
    approval,
    specific: presentSpecificity(post.content, made),
    list,
    under: list,
    rewriting: await presentRewriting(actor, post.id, versions, now),
    versions: presentVersions(versions, query.get('version'), text, actor.timeZone),
  };
}

export type RewritingData = Awaited<ReturnType<typeof loadRewriting>>;
