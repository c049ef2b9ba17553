import type { Db } from '#app/db/client.ts';
import { getShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInMail } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { findPost, isDeleted, type Post } from '#app/domain/posts/lists/post.ts';
import { type PostView, presentPost } from '#app/domain/posts/present.ts';
import { type ApprovalLink, openLink } from '#app/domain/publishing/approval/links.ts';
import { findNextMove } from '#app/domain/publishing/slots/upcoming-moves.ts';
import { findBrief } from '#app/domain/writing/generate/brief-store.ts';
import {
  type AccountState,
  accountStateOf,
  explainHold,
  explainQueue,
  isUnpaid,
} from '#app/routes/posts/holds.ts';
import { presentSpecificity } from '#app/routes/posts/present-specificity.ts';

const KEY_CHARACTERS = 300;

export const linkedPost = (request: Request, postId: string) => ({
  postId,
  key: (new URL(request.url).searchParams.get('key') ?? '').slice(0, KEY_CHARACTERS),
});
export type LinkedPost = ReturnType<typeof linkedPost>;

export const approvalUrl = ({ postId, key }: LinkedPost, verb = '') =>
  `/approval/${encodeURIComponent(postId)}${verb && `/${verb}`}?${new URLSearchParams({ key })}`;

/** Loads the post of a link, or why it can't be shown. Changes nothing. */
export async function loadByMail(db: Db, linked: LinkedPost, viewer: Actor | undefined, now = new Date()) {
  try {
    const link = await openLink(db, linked.postId, linked.key, now);
    return { status: 200, why: null, ...(await loadPost(db, link, viewer, now)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, why: error.message, post: null, home: throughLogin(viewer, QUEUE) };
  }
}

const QUEUE = '/app/scheduled';

/** The URL of a page of the app, through the login if the viewer is signed out. */
const throughLogin = (viewer: Actor | undefined, to: string) =>
  viewer ? to : `/login?${new URLSearchParams({ to })}`;

function listUrl({ id, badge, isWaiting }: PostView): string {
  if (badge === 'set_aside') return '/app/posts?status=set_aside';
  return `${isWaiting ? QUEUE : '/app/posts'}#post-${id}`;
}

const DELETED = 'This post was deleted, so nothing of it is published';

async function loadPost(db: Db, link: ApprovalLink, viewer: Actor | undefined, now: Date) {
  const { actor, postId } = link;
  if (await isDeleted(db, actor, postId)) throw new Refusal(404, 'deleted', DELETED);
  const post = await findPost(db, actor, postId);
  const [shell, movesTo, made] = await Promise.all([
    getShellState(db, actor, now),
    findNextMove(db, actor, post, now),
    findBrief(db, actor.userId, postId),
  ]);
  const { author } = shell;
  const account = accountStateOf(shell, actor);
  const view = presentPost(post, actor.timeZone, now, { movesTo });
  return {
    post: { ...previewOf(view), when: view.posted?.text ?? view.publishAt?.text ?? 'Now', author },
    specific: withoutLinks(presentSpecificity(post.content, made)),
    ...presentStatus(view, post, actor, isUnpaid(view, account)),
    isWaiting: view.status === 'pending',
    isChanged: view.status === 'pending' && view.revision !== link.revision,
    ...(view.status === 'pending' || view.status === 'generated' ? presentNext(view, account) : NO_NEXT),
    until: formatInMail(link.until, actor.timeZone),
    editAt: editAt(view, actor, viewer),
    home: throughLogin(viewer, listUrl(view)),
  };
}

const withoutLinks = (notes: ReturnType<typeof presentSpecificity>) => notes && { ...notes, more: null };

const NO_NEXT = { stop: null, ifNothing: null };

const previewOf = ({ id, content, hashtags, imageUrl, altText, revision, url }: PostView) => ({
  id,
  content,
  hashtags,
  imageUrl,
  altText,
  revision,
  url,
});

function presentStatus(view: PostView, { publishAt }: Post, { timeZone }: Actor, isAfterPlan: boolean) {
  const at = publishAt && formatInMail(publishAt, timeZone);
  const planned = at ? `It is planned for ${at}` : 'It has no time yet';
  const { failure, posted } = view;
  switch (view.badge) {
    case 'pending':
      return {
        title: 'Approve this post?',
        lead: `${planned}, ${isAfterPlan ? 'if you renew your plan and approve it' : 'once you approve it'}.`,
      };
    case 'generated':
    case 'unplanned':
      return {
        title: 'This post is approved',
        lead: `${planned}${isAfterPlan ? ', if you renew your plan' : ''}.`,
      };
    case 'publishing':
      return { title: 'This post is being published', lead: 'There is nothing left to decide here.' };
    case 'published':
      return { title: 'This post is published', lead: posted ? `It went out ${posted.text}.` : '' };
    case 'set_aside':
      return { title: 'This post is set aside', lead: `${failure!.reason} It is not published.` };
    default: {
      const isUnknown = view.badge === 'unconfirmed';
      const title = isUnknown ? 'LinkedIn did not confirm this post' : 'This post did not go out';
      return { title, lead: `${failure!.reason} ${failure!.isOnLinkedIn}` };
    }
  }
}

/** What blocks the post whatever the user decides, and what happens if they don't. */
function presentNext(view: PostView, account: AccountState) {
  const stop = explainQueue([view], account)?.text ?? null;
  if (view.status !== 'pending') return { stop, ifNothing: null };
  const { approval } = view;
  const hold = explainHold(view, account);
  if (stop || hold || !approval) {
    const nothing = 'If you do nothing, it is not published.';
    const waits = `It goes on waiting for you${stop ? ' while this lasts' : ''}.`;
    return { stop, ifNothing: `${nothing} ${stop ? waits : (hold?.text ?? waits)}` };
  }
  const then = approval.isLastTime
    ? 'and is set aside.'
    : `then: ${approval.then} once, and after that it is set aside.`;
  return { stop, ifNothing: `If you do nothing, it is not published ${then}` };
}

/** Where the text can be edited, which requires signing in; null if the viewer is signed in as another user. */
function editAt({ id, isWaiting, canEdit }: PostView, actor: Actor, viewer: Actor | undefined) {
  if (!isWaiting || !canEdit || (viewer && viewer.userId !== actor.userId)) return null;
  return throughLogin(viewer, `${QUEUE}?edit=${id}#post-${id}`);
}

export type ApprovalPageData = Extract<Awaited<ReturnType<typeof loadByMail>>, { why: null }>;
