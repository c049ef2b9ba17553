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
import { explainHold, explainQueue, isUnpaid, type PostHold, standingOf } from '#app/routes/posts/holds.ts';
import { presentSpecific } from '#app/routes/posts/present-specificity.ts';

/** The key of a link is far shorter. */
const LONGEST_KEY = 300;

/** What the address of a link says. */
export const linkOf = (request: Request, postId: string) => ({
  postId,
  key: (new URL(request.url).searchParams.get('key') ?? '').slice(0, LONGEST_KEY),
});
export type LinkedPost = ReturnType<typeof linkOf>;

/** The address of the page of a link, or of a button on it. */
export const addressOf = ({ postId, key }: LinkedPost, verb = '') =>
  `/approval/${encodeURIComponent(postId)}${verb && `/${verb}`}?${new URLSearchParams({ key })}`;

/** The post that a link is about, as it stands, or why it is not shown. Looking changes nothing. */
export async function loadByMail(db: Db, asked: LinkedPost, viewer: Actor | undefined, now = new Date()) {
  try {
    const link = await openLink(db, asked.postId, asked.key, now);
    return { status: 200, why: null, ...(await loadPost(db, link, viewer, now)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { status: error.status, why: error.message, post: null, home: signedIn(viewer, QUEUE) };
  }
}

const QUEUE = '/app/scheduled';

/** A page of the app, by way of signing in. */
const signedIn = (viewer: Actor | undefined, to: string) =>
  viewer ? to : `/login?${new URLSearchParams({ to })}`;

/** The list in which the post is now. */
function listWith({ id, badge, isWaiting }: PostView): string {
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
  const standing = standingOf(shell, actor);
  const view = presentPost(post, actor.timeZone, now, { movesTo });
  return {
    post: { ...previewOf(view), when: view.posted?.text ?? view.publishAt?.text ?? 'Now', author },
    specific: forStranger(presentSpecific(post.content, made)),
    ...presentStatus(view, post, actor, isUnpaid(view, standing)),
    isWaiting: view.status === 'pending',
    isChanged: view.status === 'pending' && view.revision !== link.revision,
    ...(view.status === 'pending' || view.status === 'generated' ? presentNext(view, standing) : NOTHING),
    until: formatInMail(link.until, actor.timeZone),
    editAt: editAt(view, actor, viewer),
    home: signedIn(viewer, listWith(view)),
  };
}

/** Whoever has the link need not be signed in. */
const forStranger = (notes: ReturnType<typeof presentSpecific>) => notes && { ...notes, more: null };

const NOTHING = { stop: null, ifNothing: null };

const previewOf = ({ id, content, hashtags, imageUrl, altText, revision, url }: PostView) => ({
  id,
  content,
  hashtags,
  imageUrl,
  altText,
  revision,
  url,
});

/** Where the post stands, in the heading and the sentence below it. */
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

/** What keeps it in whatever is decided, and what becomes of it when nothing is. */
function presentNext(view: PostView, standing: PostHold) {
  const stop = explainQueue([view], standing)?.text ?? null;
  if (view.status !== 'pending') return { stop, ifNothing: null };
  const { approval } = view;
  const hold = explainHold(view, standing);
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

/** Where the text can be changed, which takes being signed in; null for who is signed in as somebody else. */
function editAt({ id, isWaiting, canEdit }: PostView, actor: Actor, viewer: Actor | undefined) {
  if (!isWaiting || !canEdit || (viewer && viewer.userId !== actor.userId)) return null;
  return signedIn(viewer, `${QUEUE}?edit=${id}#post-${id}`);
}

export type ApprovalPageData = Extract<Awaited<ReturnType<typeof loadByMail>>, { why: null }>;
