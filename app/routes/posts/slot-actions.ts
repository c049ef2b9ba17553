import type { z } from 'zod';
import { db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import { formatInstant } from '#app/domain/platform/dates.ts';
import { Refusal } from '#app/domain/platform/refusal.ts';
import type { Post } from '#app/domain/posts/lists/post.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { MoveInput, SwapInput, UndoInput } from '#app/domain/queue/schema.ts';
import { movePost, scheduleAgain, skipPost, swapPosts } from '#app/domain/queue/slots/move.ts';
import { canRestore, undo } from '#app/domain/queue/slots/undo.ts';
import { limitAccount } from '#app/http/rate-limit.ts';

/** What has happened; when something is left to be done at LinkedIn, with the address where. */
export type Said = {
  text: string;
  href?: string;
  /** The fields of the form that takes it back. */
  undo?: Record<string, string> | undefined;
};
/** What a button does to a post. */
export type Act = (actor: Actor, postId: string, form: FormData) => Promise<Said>;

export function read<S extends z.ZodType>(schema: S, form: FormData, postId: string): z.output<S> {
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

export async function move(actor: Actor, postId: string, form: FormData): Promise<Said> {
  const { post, was, is } = await movePost(db(), actor, read(MoveInput, form, postId));
  const text = `The post is ${whereIs(post, actor)}.`;
  return { text, undo: was === is ? undefined : { of: 'move', was: was ?? '', is: is ?? '' } };
}

export async function swap(actor: Actor, postId: string, form: FormData): Promise<Said> {
  const input = read(SwapInput, form, postId);
  const [post, other] = await swapPosts(db(), actor, input);
  const [was, is] = [String(form.get('slot')), String(form.get('otherSlot'))];
  return {
    text: `Swapped. The post is ${whereIs(post, actor)}. The other one is ${whereIs(other, actor)}.`,
    undo: { of: 'swap', was, is, otherId: input.otherId },
  };
}

export async function skip(actor: Actor, postId: string): Promise<Said> {
  const { was } = await skipPost(db(), actor, postId);
  const text = 'You skipped the post. It is in Post History under Set aside.';
  return { text, undo: { of: 'skip', was: was ?? '' } };
}

export async function schedule(actor: Actor, postId: string): Promise<Said> {
  return { text: `The post is ${whereIs(await scheduleAgain(db(), actor, postId), actor)}.` };
}

export async function remove(actor: Actor, postId: string, form: FormData): Promise<Said> {
  const isHereOnly = form.get('hereOnly') === 'true';
  const beforeCall = () => limitAccount('send', actor.userId);
  const { isGoneThere, why, url } = await deletePost(db(), actor, postId, { isHereOnly, beforeCall });
  const back = (await canRestore(db(), actor, postId)) ? { undo: { of: 'delete' } } : {};
  if (why) return { text: `Post deleted. ${why}.`, href: url, ...back };
  const from = isGoneThere ? ' from database and LinkedIn' : '!';
  return { text: `Post deleted successfully${from}`, ...back };
}

export async function takeBack(actor: Actor, postId: string, form: FormData): Promise<Said> {
  const input = { ...read(UndoInput, form, postId), postId };
  const { post, isSame } = await undo(db(), actor, input);
  const what = isSame ? 'Undone.' : 'Its time is not free any more, so it has your next one.';
  return { text: `${what} The post is ${whereIs(post, actor)}.` };
}
