import { isDeletable, postUrl, recentActivityUrl } from './addresses.ts';
import { presenceOf } from './failures.ts';
import type { Post } from './posts.ts';

/** What is said before a post is deleted. */
const DELETIONS = {
  takesDown: 'This will delete the post from LinkedIn too.',
  stays:
    'This action cannot be undone. It is deleted here only: it stays on LinkedIn until you delete it there yourself.',
  mayStay:
    'This action cannot be undone. It may be on LinkedIn: if you find it on your profile, delete it there yourself.',
  gone: 'This action cannot be undone.',
};

/** Under an address that its owner pasted there may be another post of theirs. */
const isTakenDown = ({ networkUrn, isUrnNamed }: Post) =>
  networkUrn !== null && isUrnNamed && isDeletable(networkUrn);

function kindOf(post: Post): keyof typeof DELETIONS {
  if (post.status === 'published') return isTakenDown(post) ? 'takesDown' : 'stays';
  const presence = presenceOf(post);
  return presence === 'unknown' || presence === 'unsettled' ? 'mayStay' : 'gone';
}

/** What deleting a post does on LinkedIn, and where to look for what stays there. */
export function describeDeletion(post: Post) {
  const kind = kindOf(post);
  const stays = kind === 'stays' || kind === 'mayStay';
  return {
    kind,
    before: DELETIONS[kind],
    url: stays ? (postUrl(post.networkUrn) ?? recentActivityUrl()) : null,
  };
}
