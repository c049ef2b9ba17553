import type { PostFailure } from '#app/db/tables.ts';
import type { ApiPost, Post } from '#app/domain/posts/lists/post.ts';

/** Why no posts of a user are published, and the page that fixes it. */
export const HINDRANCES = {
  connect: { label: 'Connect LinkedIn', to: '/app/linkedin' },
  subscribe: { label: 'Choose a plan', to: '/app/dashboard?dialog=subscribe' },
  turnOn: { label: 'Turn automation on', to: '/app/dashboard#automation' },
  addTopics: { label: 'Add topics', to: '/app/topics' },
};

/** How the user fixes a failed post: the label of the button, and what to do. */
export const CURES = {
  edit: { label: 'Edit the post', next: 'Change the text, then press Retry.' },
  picture: { label: 'Choose another picture', next: 'Choose another picture, then press Retry.' },
  connect: { label: HINDRANCES.connect.label, next: 'Connect LinkedIn, then press Retry.' },
  retry: { label: 'Retry', next: 'Press Retry to send it again.' },
  publish: { label: 'Publish now', next: 'Press Publish now to send it.' },
  decide: {
    label: 'Decide about the post',
    next: 'Look at your profile, then press "It is there" or "Post it again".',
  },
};
export type Cure = keyof typeof CURES;

const failure = (cure: Cure, reason: string) => ({ cure, reason, isSetAside: false });
/** The post was never sent: the user set it aside, or did not approve it in time. */
const setAside = (cure: Cure, reason: string) => ({ cure, reason, isSetAside: true });

/**
 * The reason of each failure for the user, and its fix. Failures of pictures and refusals with a word of LinkedIn have
 * their own reasons instead.
 */
export const FAILURES: Record<PostFailure, ReturnType<typeof failure>> = {
  duplicate: failure('edit', 'LinkedIn says that you already posted this text. Change it and try again'),
  forbidden: failure(
    'connect',
    'LinkedIn does not allow us to post for you. Connect LinkedIn again and allow posting',
  ),
  unreadable: failure('picture', 'LinkedIn could not read the picture. Choose another one'),
  refused_picture: failure('picture', 'LinkedIn refused the picture'),
  too_large: failure('picture', 'LinkedIn says that the post is too large. Choose a smaller picture'),
  too_large_picture: failure('picture', 'The picture is too large for LinkedIn. Choose a smaller one'),
  no_picture: failure('picture', 'The picture could not be loaded from its address'),
  too_long: failure('edit', 'LinkedIn says that the text is too long. Shorten it and try again'),
  empty: failure('edit', 'LinkedIn does not take an empty post. Write something and try again'),
  refused: failure('edit', 'LinkedIn refused this post. Change it and try again'),
  not_taken: failure('retry', 'LinkedIn did not take it. Try again'),
  too_late: failure('retry', 'It could not be sent in time, so it did not go out'),
  not_approved: setAside('publish', 'You did not approve this post by its time, so it was set aside'),
  not_wanted: setAside(
    'publish',
    'You set this post aside, because its time passed before LinkedIn was connected',
  ),
  skipped: setAside('publish', 'You skipped it'),
  unconfirmed: failure(
    'decide',
    'LinkedIn did not confirm this post. Look at your profile before you try again',
  ),
};

export type FailureText = { failure: PostFailure; reason: string };
export const failureText = (failure: PostFailure, reason = FAILURES[failure].reason): FailureText => ({
  failure,
  reason,
});

/** It is unknown whether LinkedIn has the post, and the user has to decide. */
export const isUndecided = ({ status, isUnconfirmed }: Pick<Post, 'status' | 'isUnconfirmed'>) =>
  status === 'failed' && isUnconfirmed;

/** The text of a refusal without a failure of its own, with LinkedIn's code when there is one. */
export const refusedFor = (code: string | null) =>
  failureText('refused', `LinkedIn refused this post${code ? ` (${code})` : ''}. Change it and try again`);

export const SET_ASIDE = (Object.keys(FAILURES) as PostFailure[]).filter((name) => FAILURES[name].isSetAside);

/** Undefined for a failure that a newer release has stored. Its reason is in the row of the post. */
const knownFailure = (failure: PostFailure | null) =>
  failure === null ? undefined : (FAILURES as Partial<typeof FAILURES>)[failure];

export const isSetAside = ({ status, failure }: Pick<Post, 'status' | 'failure'>) =>
  status === 'failed' && knownFailure(failure)?.isSetAside === true;

const cureOfFailure = (failure: PostFailure | null): Cure => knownFailure(failure)?.cure ?? 'retry';

type Changed = { isOtherText: boolean; isOtherPicture: boolean };

/** Whether a change fixes a failure. A failure of the picture needs another picture, or none. */
export const isFixedBy = (failure: PostFailure | null, { isOtherText, isOtherPicture }: Changed) =>
  isOtherPicture || (isOtherText && cureOfFailure(failure) !== 'picture');

/** LinkedIn refused the post as a duplicate, and it was not changed since. */
export const isDuplicate = ({
  status,
  failure,
  issueResolved,
}: Pick<Post, 'status' | 'failure' | 'issueResolved'>) =>
  status === 'failed' && failure === 'duplicate' && !issueResolved;

function isCured(cure: Cure, { issueResolved, connectedAt, lastAttemptAt }: ApiPost): boolean {
  if (cure === 'edit' || cure === 'picture') return issueResolved;
  return cure === 'connect' && connectedAt !== null && lastAttemptAt !== null && connectedAt > lastAttemptAt;
}

const isTest = ({ visibility }: Pick<Post, 'visibility'>) => visibility !== 'PUBLIC';

/** Returns the whole reason of a failure. The text of a test post can't be edited, so that is not suggested. */
function reasonOf(post: Post, mayBeSent: boolean): string {
  const reason = post.reason ?? 'This post could not be published';
  if (!isTest(post) || post.isUnconfirmed || cureOfFailure(post.failure) !== 'edit') return `${reason}.`;
  const what = isDuplicate(post)
    ? 'Delete it, and send another one.'
    : mayBeSent
      ? CURES[cureOf(post)].next
      : '';
  return `${reason.split('. ')[0]}. A test goes out as it is. ${what}`.trimEnd();
}

export function cureOf(post: ApiPost): Cure {
  const usual = post.isUnconfirmed ? 'decide' : cureOfFailure(post.failure);
  const cure = usual === 'edit' && isTest(post) ? 'retry' : usual;
  const next = isCured(cure, post) ? 'retry' : cure;
  return (next === 'retry' || next === 'publish') && !post.isConnected ? 'connect' : next;
}

/** Whether a post is on LinkedIn, as far as its attempts show. */
export const PRESENCES = {
  there: 'It is on LinkedIn.',
  not_there: 'It is not on LinkedIn.',
  earlier: 'An earlier post with this text is on LinkedIn.',
  unknown: 'It may be on LinkedIn or not.',
  unsettled: 'An earlier attempt was never confirmed, so it may be on LinkedIn.',
};
export type Presence = keyof typeof PRESENCES;

export function presenceOf(post: ApiPost): Presence {
  if (post.status === 'published') return 'there';
  if (post.isUnconfirmed || post.isOpen) return 'unknown';
  if (isDuplicate(post)) return 'earlier';
  return post.isUnsettled ? 'unsettled' : 'not_there';
}

/** Returns why a post failed, whether it is on LinkedIn and how to fix it. `mayBeSent`: whether it may be sent now. */
export function presentFailure(post: Post, mayBeSent = true) {
  const [cure, presence] = [cureOf(post), presenceOf(post)];
  return {
    reason: reasonOf(post, mayBeSent),
    presence,
    isOnLinkedIn: PRESENCES[presence],
    cure: { name: cure, ...CURES[cure] },
  };
}
export type Failure = ReturnType<typeof presentFailure>;
