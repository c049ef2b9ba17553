import type { Post } from '#app/domain/posts/lists/post.ts';
import { personUrn } from '#app/integrations/linkedin/oauth.ts';
import { presenceOf } from './failures.ts';
import { isDeletable, postUrl, recentActivityUrl } from './linkedin-urls.ts';

const DELETIONS = {
  takesDown: 'This will delete the post from LinkedIn too.',
  stays:
    'This action cannot be undone. It is deleted here only: it stays on LinkedIn until you delete it there yourself.',
  elsewhere:
    'This action cannot be undone. It was published on another LinkedIn account than the one that is connected. It is deleted here only: it stays there until you delete it there yourself.',
  disconnected:
    'This action cannot be undone. LinkedIn is not connected, so it is deleted here only: it stays on LinkedIn until you delete it there yourself. To have it deleted there too, first connect the account it was published on.',
  mayStay:
    'This action cannot be undone. It may be on LinkedIn: if you find it on your profile, delete it there yourself.',
  gone: 'This action cannot be undone.',
};

/** A URN without an author was pasted by the user, and may be that of another post. */
function kindOfPublished({ networkUrn, authorUrn, memberId, isConnected }: Post): keyof typeof DELETIONS {
  if (networkUrn === null || authorUrn === null || !isDeletable(networkUrn)) return 'stays';
  if (memberId === null || !isConnected) return 'disconnected';
  return authorUrn === personUrn(memberId) ? 'takesDown' : 'elsewhere';
}

function kindOf(post: Post): keyof typeof DELETIONS {
  if (post.status === 'published') return kindOfPublished(post);
  const presence = presenceOf(post);
  return presence === 'unknown' || presence === 'unsettled' ? 'mayStay' : 'gone';
}

/** Returns what deleting a post does on LinkedIn, and the URL of a post that stays there. */
export function presentDeletion(post: Post) {
  const kind = kindOf(post);
  const mayStay = kind !== 'takesDown' && kind !== 'gone';
  return {
    kind,
    before: DELETIONS[kind],
    url: mayStay ? (postUrl(post.networkUrn) ?? recentActivityUrl()) : null,
  };
}
