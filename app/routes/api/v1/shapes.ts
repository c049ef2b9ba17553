import type { Token } from '#app/domain/accounts/api-tokens.ts';
import type { Actor } from '#app/domain/actor.ts';
import type { Settings } from '#app/domain/automation/settings.ts';
import type { BoardEntry } from '#app/domain/feedback/board.ts';
import type { ManagedFeedback } from '#app/domain/feedback/manage.ts';
import { pictureOf } from '#app/domain/posts/start-page-pictures.ts';
import type { TopPost } from '#app/domain/posts/top-posts.ts';
import type { Topic } from '#app/domain/topics/topics.ts';
import type { Run } from '#app/domain/writing/start-run.ts';
import { fullAddress } from '#app/http/public-site.ts';

// What the API shows of each entity. Public names are made here, for money in shapes-payments.ts, and beside what they show
// for what webhooks tell of as well (…-shape.ts of the domain), so that a renamed column changes none of them.

const iso = (at: Date | null) => at?.toISOString() ?? null;

/** Only verified people have an account. */
export function userShape({ userId, name, email, isAdmin }: Actor) {
  return { _id: userId, name, email, role: isAdmin ? ('admin' as const) : ('user' as const), verified: true };
}

/** A token that a program signed in for has no name. `current`: the one that asks. */
export function tokenShape(token: Token, { sessionId }: { sessionId: string }) {
  const { id, name, scope, device, createdAt, lastUsedAt, expiresAt } = token;
  const times = {
    createdAt: createdAt.toISOString(),
    lastUsedAt: iso(lastUsedAt),
    expiresAt: iso(expiresAt),
  };
  return { _id: id, name, scope, device, ...times, current: id === sessionId };
}

export function topicShape(topic: Topic) {
  const { id, isActive, createdAt, name, description, keywords, tone, approval } = topic;
  const shown = { name, description, keywords, tone, approval };
  return { _id: id, ...shown, active: isActive, ...pauseShape(topic), createdAt: createdAt.toISOString() };
}

/** A pause without a day lasts until its owner ends it; `reason` says why the topic was paused by itself. */
function pauseShape({ isPaused, pausedUntil, failure }: Topic) {
  const until = isPaused ? pausedUntil : null;
  return { paused: isPaused, pausedUntil: iso(until), reason: isPaused && !until ? failure || null : null };
}

export function runShape(run: Run) {
  const { id, status, requested, done, failed, error, createdAt } = run;
  return { _id: id, status, requested, done, failed, error, createdAt: createdAt.toISOString() };
}

export function settingsShape(settings: Settings) {
  const { postsPerDay, contentCreationTime, publishTimes, publishDays, daysOff } = settings;
  const { enabled, requireApproval, timeZone } = settings;
  return {
    postsPerDay,
    contentCreationTime,
    publishTimes,
    publishDays: [...publishDays],
    daysOff: [...daysOff],
    enabled,
    requireApproval,
    timeZone,
  };
}

const feedbackOf = ({ id, type, title, description, rating, upvotes, status, createdAt }: FeedbackShown) => ({
  _id: id,
  type,
  title,
  description,
  rating,
  upvotes,
  status,
  createdAt: createdAt.toISOString(),
});
type FeedbackShown = Omit<BoardEntry, 'isOwn' | 'hasVoted'>;

/** Of others nobody is told who wrote it. */
export const feedbackShape = (entry: BoardEntry, { name, email }: Actor) => ({
  ...feedbackOf(entry),
  userId: entry.isOwn ? { name, email } : null,
  upvoted: entry.hasVoted,
});

export const managedFeedbackShape = ({ userId, name, email, ...entry }: ManagedFeedback) => ({
  ...feedbackOf(entry),
  userId: { _id: userId, name, email },
});

/** A post that its author lets everybody see, as far as they do. */
export function topPostShape({ id, topicName, content, hashtags, hasPicture, altText, url }: TopPost) {
  const picture = pictureOf({ id, hasPicture });
  const imageUrl = picture && fullAddress(picture);
  return { id, topic: { name: topicName }, content, hashtags, imageUrl, altText, linkedInUrl: url };
}
