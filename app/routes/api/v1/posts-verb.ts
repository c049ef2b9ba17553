import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/actor.ts';
import { findPost } from '#app/domain/posts/posts.ts';
import { publishNow, retryPost } from '#app/domain/publishing/by-hand.ts';
import { approvePost } from '#app/domain/queue/approval.ts';
import { notFound } from '#app/domain/refusal.ts';
import { accepted, apiRoute, endpoint } from '#app/http/api.ts';
import type { PostCall } from '../../verbs.ts';
import { postShape } from './shapes.ts';

type Act = { act: (db: Db, actor: Actor, postId: string) => Promise<unknown>; isLater: boolean };

/** `isLater`: the worker does it, and the answer says only that it will. */
const CALLS: Record<PostCall, Act> = {
  publish: { act: publishNow, isLater: true },
  approve: { act: approvePost, isLater: false },
  retry: { act: retryPost, isLater: true },
};

const handler = apiRoute({
  POST: endpoint('user', null, async ({ db, actor, params }) => {
    const { id = '', verb = '' } = params;
    if (!Object.hasOwn(CALLS, verb)) throw notFound('This call');
    const { act, isLater } = CALLS[verb as PostCall];
    await act(db, actor, id);
    const body = { post: postShape(await findPost(db, actor, id), actor.timeZone) };
    return isLater ? accepted(body) : body;
  }),
});

export const loader = handler;
export const action = handler;
