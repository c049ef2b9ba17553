import { redirect } from 'react-router';
import type { z } from 'zod';
import { type Db, db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { clearEngagement } from '#app/domain/posts/engagement.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import {
  backToItsTime,
  postAgain,
  publishNow,
  retryPost,
} from '#app/domain/publishing/manual/publish-now.ts';
import { mailSent } from '#app/domain/publishing/safety/pause.ts';
import { approvePost } from '#app/domain/queue/approval/approve.ts';
import { CHANGED_ELSEWHERE } from '#app/domain/queue/lock-own-post.ts';
import { MoveInput, ReadInput, SwapInput, UndoInput } from '#app/domain/queue/schema.ts';
import { movePost, scheduleAgain, skipPost, swapPosts } from '#app/domain/queue/slots/move.ts';
import { canRestore, undo } from '#app/domain/queue/slots/undo.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { listUrlFrom, listWithOpen, listWithWatched } from '#app/http/forms/list-params.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { actorOf } from '#app/http/session/session.ts';
import { type PostVerb, postAddress } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';

/** What has happened; when something is left to be done at LinkedIn, with the address where. */
type ActionMessage = {
  text: string;
  href?: string;
  /** The fields of the form that takes it back. */
  undo?: Record<string, string> | undefined;
};
/** What a button does to a post. */
type Act = (actor: Actor, postId: string, form: FormData) => Promise<ActionMessage>;

function read<S extends z.ZodType>(schema: S, form: FormData, postId: string): z.output<S> {
  const input = schema.safeParse({ ...Object.fromEntries(form), postId });
  if (!input.success) throw new Refusal(422, 'invalid', input.error.issues[0]!.message);
  return input.data;
}

/** Where a post is now; whether anything goes out then is not known here. */
function whereIs({ publishAt, status }: Post, { timeZone }: Actor): string {
  if (status === 'failed') return 'in Post History';
  const place = publishAt
    ? `planned for ${formatInstant(publishAt, timeZone)}`
    : 'in your queue, without a time';
  return status === 'pending' ? `${place}, and waits for your approval` : place;
}

async function move(actor: Actor, postId: string, form: FormData): Promise<ActionMessage> {
  const { post, was, is } = await movePost(db(), actor, read(MoveInput, form, postId));
  const text = `The post is ${whereIs(post, actor)}.`;
  return { text, undo: was === is ? undefined : { of: 'move', was: was ?? '', is: is ?? '' } };
}

async function swap(actor: Actor, postId: string, form: FormData): Promise<ActionMessage> {
  const input = read(SwapInput, form, postId);
  const [post, other] = await swapPosts(db(), actor, input);
  const [was, is] = [String(form.get('slot')), String(form.get('otherSlot'))];
  return {
    text: `Swapped. The post is ${whereIs(post, actor)}. The other one is ${whereIs(other, actor)}.`,
    undo: { of: 'swap', was, is, otherId: input.otherId },
  };
}

async function skip(actor: Actor, postId: string): Promise<ActionMessage> {
  const { was } = await skipPost(db(), actor, postId);
  const text = 'You skipped the post. It is in Post History under Set aside.';
  return { text, undo: { of: 'skip', was: was ?? '' } };
}

async function schedule(actor: Actor, postId: string): Promise<ActionMessage> {
  return { text: `The post is ${whereIs(await scheduleAgain(db(), actor, postId), actor)}.` };
}

async function remove(actor: Actor, postId: string, form: FormData): Promise<ActionMessage> {
  const isHereOnly = form.get('hereOnly') === 'true';
  const beforeCall = () => limitAccount('send', actor.userId);
  const { isGoneThere, why, url } = await deletePost(db(), actor, postId, { isHereOnly, beforeCall });
  const back = (await canRestore(db(), actor, postId)) ? { undo: { of: 'delete' } } : {};
  if (why) return { text: `Post deleted. ${why}.`, href: url, ...back };
  const from = isGoneThere ? ' from database and LinkedIn' : '!';
  return { text: `Post deleted successfully${from}`, ...back };
}

async function takeBack(actor: Actor, postId: string, form: FormData): Promise<ActionMessage> {
  const input = { ...read(UndoInput, form, postId), postId };
  const { post, isSame } = await undo(db(), actor, input);
  const what = isSame ? 'Undone.' : 'Its time is not free any more, so it has your next one.';
  return { text: `${what} The post is ${whereIs(post, actor)}.` };
}

const QUEUE = '/app/scheduled';
const HISTORY = '/app/posts';
/** The card of a test post, on the page of LinkedIn. */
const TEST_CARD = 'test-post';
const TEST = `/app/linkedin#${TEST_CARD}`;

/** The dashboard shows what became of a post in its day, the lists in its place. */
const isList = (page: string) => page.startsWith(QUEUE) || page.startsWith(HISTORY);

type Row = { page: string; act: Act; isSending?: boolean };

/**
 * `page` is shown afterwards, unless the form says on which of the two lists the button stood, or that it was the
 * card of a test. A post that is sent stays in its place of a list, and answers what became of it; why nothing was
 * done stands at its card.
 */
const VERBS: Record<PostVerb, Row> = {
  publish: { page: QUEUE, act: send(publishNow), isSending: true },
  back: { page: QUEUE, act: back },
  approve: { page: QUEUE, act: approve },
  retry: { page: QUEUE, act: send(retryPost), isSending: true },
  again: { page: HISTORY, act: send(postAgain), isSending: true },
  clear: { page: HISTORY, act: clear },
  delete: { page: QUEUE, act: remove },
  move: { page: QUEUE, act: move },
  swap: { page: QUEUE, act: swap },
  skip: { page: QUEUE, act: skip },
  schedule: { page: HISTORY, act: schedule },
  undo: { page: QUEUE, act: takeBack },
};

export const loader = ({ params }: Route.LoaderArgs) => redirect(verbOf(VERBS, params.verb).page);

export async function action({ context, params }: Route.ActionArgs) {
  const { page, act, isSending } = verbOf(VERBS, params.verb);
  const form = formDataOf(context);
  const from = form.get('from');
  const list = listUrlFrom(from);
  const back = from === TEST ? TEST : (list ?? page);
  const place = placeOf(back, params.id);
  const handle = async () => {
    const { text, href, undo } = await act(actorOf(context), params.id, form);
    const to = postAddress(params.id, 'undo');
    const action = undo && { label: 'Undo', to, fields: { ...undo, from: back } };
    setFlash(context, href ? 'info' : 'success', text, href && 'page', href, action);
    return redirect(isSending && isList(back) ? listWithWatched(back, params.id) : back);
  };
  const refused = list && place && !list.includes('#') ? `${list}#${place}` : back;
  // A text that is to be read again stands open.
  const refusedAt = ({ code }: Refusal) =>
    code === CHANGED_ELSEWHERE && back.startsWith(QUEUE) ? listWithOpen(back, params.id) : refused;
  return press({ context }, refusedAt, handle, place);
}

/** The card at which it stands why nothing was done. */
function placeOf(back: string, postId: string): string | undefined {
  if (back === TEST) return TEST_CARD;
  return isId(postId) ? `post-${postId}` : undefined;
}

function send(command: (db: Db, actor: Actor, postId: string, revision?: number) => Promise<void>): Act {
  return async (actor, postId, form) => {
    await limitAccount('send', actor.userId);
    await command(db(), actor, postId, read(ReadInput, form, postId).revision);
    const post = await findPost(db(), actor, postId);
    return { text: await mailSent(db(), post, actor.timeZone, new Date()) };
  };
}

/** The time that a post has; whether anything goes out then is not known here. */
const plannedFor = ({ publishAt }: Post, { timeZone }: Actor) =>
  publishAt && formatInstant(publishAt, timeZone);

async function back(actor: Actor, postId: string) {
  const post = await backToItsTime(db(), actor, postId);
  if (post.status === 'pending') return { text: 'The post waits for your approval again' };
  const time = plannedFor(post, actor);
  return { text: time ? `The post is planned for ${time}.` : 'The post takes your next free time' };
}

async function approve(actor: Actor, postId: string, form: FormData) {
  const { revision } = read(ReadInput, form, postId);
  const time = plannedFor(await approvePost(db(), actor, postId, revision), actor);
  return { text: time ? `Post approved. It is planned for ${time}.` : 'Post approved' };
}

async function clear(actor: Actor, postId: string) {
  await clearEngagement(db(), actor, postId);
  return { text: 'The numbers are cleared' };
}

/** Never shown. Without a page the answer to an address that is not there would be bare data, not our error page. */
export default () => null;
