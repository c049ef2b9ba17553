import { redirect } from 'react-router';
import type { z } from 'zod';
import { type Db, db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { isId } from '#app/domain/platform/paging.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import { clearEngagement } from '#app/domain/posts/engagement.ts';
import { findPost, type Post } from '#app/domain/posts/lists/post.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import {
  backToItsTime,
  postAgain,
  publishNow,
  retryPost,
} from '#app/domain/publishing/manual/publish-now.ts';
import { mailSent } from '#app/domain/publishing/safety/pause.ts';
import { MoveInput, ReadInput, SwapInput, UndoInput } from '#app/domain/publishing/schema.ts';
import { movePost, scheduleAgain, skipPost, swapPosts } from '#app/domain/publishing/slots/move.ts';
import { canRestore, undo } from '#app/domain/publishing/slots/undo.ts';
import { CHANGED_ELSEWHERE } from '#app/domain/publishing/state/lock-own-post.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { listUrlFrom, listWithOpen, listWithWatched } from '#app/http/forms/list-params.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { press } from '#app/http/forms/submit.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { verbOf } from '#app/http/route-verb.ts';
import { actorOf } from '#app/http/session/session.ts';
import { type PostVerb, postAddress } from '#app/routes/actions.ts';
import type { Route } from './+types/action.ts';

/** `href` is set when the user still has something to do on LinkedIn. */
type ActionMessage = {
  text: string;
  href?: string;
  undo?: Record<string, string> | undefined;
};
type PostAction = (actor: Actor, postId: string, form: FormData) => Promise<ActionMessage>;

function read<S extends z.ZodType>(schema: S, form: FormData, postId: string): z.output<S> {
  const input = schema.safeParse({ ...Object.fromEntries(form), postId });
  if (!input.success) throw new Refusal(422, 'invalid', input.error.issues[0]!.message);
  return input.data;
}

/** Where a post is now. Doesn't say whether it will be published then: that depends on more than the post. */
function describeSchedule({ publishAt, status }: Post, { timeZone }: Actor): string {
  if (status === 'failed') return 'in Post History';
  const position = publishAt
    ? `planned for ${formatInstant(publishAt, timeZone)}`
    : 'in your queue, without a time';
  return status === 'pending' ? `${position}, and waits for your approval` : position;
}

async function move(actor: Actor, postId: string, form: FormData): Promise<ActionMessage> {
  const { post, was, is } = await movePost(db(), actor, read(MoveInput, form, postId));
  const text = `The post is ${describeSchedule(post, actor)}.`;
  return { text, undo: was === is ? undefined : { of: 'move', was: was ?? '', is: is ?? '' } };
}

async function swap(actor: Actor, postId: string, form: FormData): Promise<ActionMessage> {
  const input = read(SwapInput, form, postId);
  const [post, other] = await swapPosts(db(), actor, input);
  const [was, is] = [String(form.get('slot')), String(form.get('otherSlot'))];
  return {
    text: `Swapped. The post is ${describeSchedule(post, actor)}. The other one is ${describeSchedule(other, actor)}.`,
    undo: { of: 'swap', was, is, otherId: input.otherId },
  };
}

async function skip(actor: Actor, postId: string): Promise<ActionMessage> {
  const { was } = await skipPost(db(), actor, postId);
  const text = 'You skipped the post. It is in Post History under Set aside.';
  return { text, undo: { of: 'skip', was: was ?? '' } };
}

async function schedule(actor: Actor, postId: string): Promise<ActionMessage> {
  return { text: `The post is ${describeSchedule(await scheduleAgain(db(), actor, postId), actor)}.` };
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

async function undoLast(actor: Actor, postId: string, form: FormData): Promise<ActionMessage> {
  const input = { ...read(UndoInput, form, postId), postId };
  const { post, isSame } = await undo(db(), actor, input);
  const what = isSame ? 'Undone.' : 'Its time is not free any more, so it has your next one.';
  return { text: `${what} The post is ${describeSchedule(post, actor)}.` };
}

const QUEUE = '/app/scheduled';
const HISTORY = '/app/posts';
const TEST_CARD = 'test-post';
const TEST = `/app/linkedin#${TEST_CARD}`;

/** The dashboard shows the result in the row of the day, the lists in the place of the post. */
const isList = (page: string) => page.startsWith(QUEUE) || page.startsWith(HISTORY);

type Row = { page: string; perform: PostAction; isSending?: boolean };

/**
 * `page` is shown afterwards, unless the form says from which list, or from the card of the test post, it was sent. A
 * post that is published stays in its place of the list and shows the result; a refusal is shown on its card.
 */
const ACTIONS: Record<PostVerb, Row> = {
  publish: { page: QUEUE, perform: send(publishNow), isSending: true },
  back: { page: QUEUE, perform: back },
  approve: { page: QUEUE, perform: approve },
  retry: { page: QUEUE, perform: send(retryPost), isSending: true },
  again: { page: HISTORY, perform: send(postAgain), isSending: true },
  clear: { page: HISTORY, perform: clear },
  delete: { page: QUEUE, perform: remove },
  move: { page: QUEUE, perform: move },
  swap: { page: QUEUE, perform: swap },
  skip: { page: QUEUE, perform: skip },
  schedule: { page: HISTORY, perform: schedule },
  undo: { page: QUEUE, perform: undoLast },
};

export const loader = ({ params }: Route.LoaderArgs) => redirect(verbOf(ACTIONS, params.verb).page);

export async function action({ context, params }: Route.ActionArgs) {
  const { page, perform, isSending } = verbOf(ACTIONS, params.verb);
  const form = formDataOf(context);
  const from = form.get('from');
  const list = listUrlFrom(from);
  const back = from === TEST ? TEST : (list ?? page);
  const cardId = cardIdFor(back, params.id);
  const handle = async () => {
    const { text, href, undo } = await perform(actorOf(context), params.id, form);
    const to = postAddress(params.id, 'undo');
    const action = undo && { label: 'Undo', to, fields: { ...undo, from: back } };
    setFlash(context, href ? 'info' : 'success', text, href && 'page', href, action);
    return redirect(isSending && isList(back) ? listWithWatched(back, params.id) : back);
  };
  const refusedUrl = list && cardId && !list.includes('#') ? `${list}#${cardId}` : back;
  // A post that changed elsewhere opens, so that the user reads it again.
  const refusalUrl = ({ code }: Refusal) =>
    code === CHANGED_ELSEWHERE && back.startsWith(QUEUE) ? listWithOpen(back, params.id) : refusedUrl;
  return press({ context }, refusalUrl, handle, cardId);
}

function cardIdFor(back: string, postId: string): string | undefined {
  if (back === TEST) return TEST_CARD;
  return isId(postId) ? `post-${postId}` : undefined;
}

function send(
  command: (db: Db, actor: Actor, postId: string, revision?: number) => Promise<void>,
): PostAction {
  return async (actor, postId, form) => {
    await limitAccount('send', actor.userId);
    await command(db(), actor, postId, read(ReadInput, form, postId).revision);
    const post = await findPost(db(), actor, postId);
    return { text: await mailSent(db(), post, actor.timeZone, new Date()) };
  };
}

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

/** Never shown. A route without a component answers an unknown URL with bare data instead of the error page. */
export default () => null;
