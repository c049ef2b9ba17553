import type { BoardEntry } from '#app/domain/feedback/board.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatDate } from '#app/domain/platform/dates.ts';

export function presentFeedback({ createdAt, rating, ...entry }: BoardEntry, { timeZone }: Actor) {
  return {
    ...entry,
    rating: rating === null ? null : `You rated ${rating} of 5`,
    at: { iso: createdAt.toISOString(), text: formatDate(createdAt, timeZone) },
  };
}
export type PresentedEntry = ReturnType<typeof presentFeedback>;

export const presentSimilar = ({ id, title, status, upvotes, hasVoted, isOwn }: BoardEntry) => ({
  id,
  title,
  status,
  upvotes,
  hasVoted,
  isOwn,
});
export type SimilarEntry = ReturnType<typeof presentSimilar>;
