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
import { presentSpecific } from '#app/routes/posts/present-specificity.ts';
import { compareTexts } from './diff.ts';

const MINUTE_MS = 60_000;
/** A finished writing is told for so long. */
const TOLD_MS = 10 * MINUTE_MS;
const SLOW_MS = 2 * MINUTE_MS;
const NOT_WRITTEN = 'It could not be written this time. Please try again';

/** As a post is read: its text, and its hashtags below. */
const wholeOf = ({ content, hashtags }: { content: string; hashtags: string[] }) =>
  hashtags.length === 0 ? content : `${content}\n\n${hashtags.map((tag) => `#${tag}`).join(' ')}`;

/** Why its text stays; null when it can be another one. */
function whyFixed({ status, isUnconfirmed, isPublishing, visibility }: Post): string | null {
  if (visibility !== 'PUBLIC') return 'A test post goes out as it is.';
  if (status === 'published') return 'This post is published, so its text stays.';
  if (isUnconfirmed)
    return 'LinkedIn did not confirm this post. Say first whether it is there, in Post History.';
  return isPublishing ? 'This post is on its way to LinkedIn, so its text stays.' : null;
}

/** Its text has been another one since: it was put there by hand. */
const isOver = (run: { finishedAt: Date | null }, versions: OtherText[]) =>
  versions.some(({ createdAt }) => createdAt && run.finishedAt && createdAt > run.finishedAt);

async function presentRewriting(actor: Actor, postId: string, versions: OtherText[], now: Date) {
  const run = await findLatestRewrite(db(), actor, postId, now);
  if (!run || isOver(run, versions)) return null;
  const age = now.getTime() - run.createdAt.getTime();
  const isOpen = run.status !== 'complete';
  if (!isOpen && age > TOLD_MS) return null;
  const { instruction } = run;
  const left = await secondsLeft(db(), run, now);
  // A process of an earlier version ends it without a word.
  const error = run.error ?? (isOpen || run.done > 0 ? null : NOT_WRITTEN);
  return {
    id: run.id,
    isOpen,
    isSlow: isOpen && age > SLOW_MS,
    left,
    spent: isOpen ? Math.round(age / 1_000) : 0,
    words: left === null ? 'Writing it again' : `Writing it again, about ${left} s left`,
    instruction,
    error: error && `${error.replace(/\.$/, '')}.`,
    /** What its author wrote there, to be asked for once more. */
    typed: error && !INSTRUCTIONS.some((preset) => preset === instruction) ? instruction : null,
  };
}

/** How specific a text of the writer's is; nobody has counted the words of its owner. */
function scoreText({ content, made }: OtherText): string | null {
  const { score, content: written } = made ?? {};
  return typeof score === 'number' && score > 0 && written === content ? `specific: ${score} of 100` : null;
}

const keptText = ({ createdAt }: OtherText, timeZone: string) =>
  createdAt ? `Kept ${formatInstant(createdAt, timeZone)}` : 'As it was written, before you changed it';

const presentVersion = (text: OtherText, timeZone: string) => ({
  id: text.id,
  kept: [keptText(text, timeZone), scoreText(text)].filter(Boolean).join(' · '),
  opening: text.content.split('\n', 1)[0]!,
});

/** The versions, and the one that is open beside the text of now: only that one is compared. */
function presentVersions(versions: OtherText[], asked: string | null, now: string, timeZone: string) {
  const open = versions.find(({ id }) => id === asked) ?? versions[0];
  return versions.map((version) => ({
    ...presentVersion(version, timeZone),
    pair: version === open ? compareTexts(wholeOf(version), now) : null,
  }));
}

/** A post as it stands, its other texts beside it, and what becomes of the one that is being written: `?version=ID`. */
export async function loadRewriting(actor: Actor, postId: string, query: URLSearchParams, now = new Date()) {
  const post = await findPost(db(), actor, postId);
  const text = wholeOf(post);
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
    specific: presentSpecific(post.content, made),
    list,
    under: list,
    rewriting: await presentRewriting(actor, post.id, versions, now),
    versions: presentVersions(versions, query.get('version'), text, actor.timeZone),
  };
}

export type Rewritten = Awaited<ReturnType<typeof loadRewriting>>;
