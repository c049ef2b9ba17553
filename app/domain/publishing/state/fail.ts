import type { Trx } from '#app/db/client.ts';
import { type FailureText, presentFailure } from '#app/domain/posts/failures.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { type MailedPost, mailFailed } from '#app/domain/publishing/mails.ts';
import { markFailed, markUnsent } from './post-state.ts';

/** `dedupeKey` is that of the mail to the user. */
type Failed = FailureText & { dedupeKey: string };

/** Marks a post that LinkedIn did not accept as failed, removes it from the queue and mails the user the reason. */
export async function failPost(
  trx: Trx,
  post: MailedPost,
  { failure, reason, dedupeKey }: Failed,
): Promise<void> {
  await markFailed(trx, post, failure, reason);
  await mailOwner(trx, post, dedupeKey);
}

/** Like `failPost`, for a post that was not sent to LinkedIn. */
export async function failUnsent(
  trx: Trx,
  post: MailedPost,
  { failure, reason, dedupeKey }: Failed,
): Promise<void> {
  await markUnsent(trx, post, failure, reason);
  await mailOwner(trx, post, dedupeKey);
}

async function mailOwner(trx: Trx, post: MailedPost, dedupeKey: string): Promise<void> {
  await mailFailed(trx, post, presentFailure(await findPost(trx, post, post.id)), dedupeKey);
}
