import { findPost } from '#app/domain/posts/posts.ts';
import { publishNow, retryPost } from '#app/domain/publishing/by-hand.ts';
import { approvePost } from '#app/domain/queue/approval.ts';
import { notFound } from '#app/domain/refusal.ts';
import { accepted, apiRoute, endpoint } from '#app/http/api.ts';
import { postShape } from './shapes-automation.ts';

const handler = apiRoute({
  POST: endpoint('user', null, async ({ db, actor, params }) => {
    const { id = '', act } = params;
    if (act === 'approve') return { post: postShape(await approvePost(db, actor, id), actor.timeZone) };
    if (act === 'publish') await publishNow(db, actor, id);
    else if (act === 'retry') await retryPost(db, actor, id);
    else throw notFound('This call');
    return accepted({ post: postShape(await findPost(db, actor, id), actor.timeZone) });
  }),
});

export const loader = handler;
export const action = handler;
