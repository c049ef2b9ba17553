import type { Trx } from '#app/db/client.ts';
import { type FailureText, presentFailure } from '#app/domain/posts/failures.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { type MailedPost, mailFailed } from '#app/domain/publishing/mails.ts';
import { markFailed, markUnsent } from './post-state.ts';

type Failed = FailureText & {
  /** Of the mail to its owner. */
  dedupeKey: string;
};

/** LinkedIn did not take the post: it fails with a reason its owner can read, leaves the queue, and its owner is mailed. */
export async function failPost(
  trx: Trx,
  post: MailedPost,
  { failure, reason, dedupeKey }: Failed,
): Promise<void> {
  await markFailed(trx, post, failure, reason);
  await tell(trx, post, dedupeKey);
}

/** As `failPost`, of a post that LinkedIn was not asked to take. */
export async function failUnasked(
  trx: Trx,
  post: MailedPost,
  { failure, reason, dedupeKey }: Failed,
): Promise<void> {
  await markUnsent(trx, post, failure, reason);
  await tell(trx, post, dedupeKey);
}

async function tell(trx: Trx, post: MailedPost, dedupeKey: string): Promise<void> {
  await mailFailed(trx, post, presentFailure(await findPost(trx, post, post.id)), dedupeKey);
}
