import { PostChange } from '#app/domain/posts/schema.ts';
import { deletePost } from '#app/domain/publishing/take-down.ts';
import { editPost } from '#app/domain/queue/change.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { postShape } from './shapes.ts';

const handler = apiRoute({
  PUT: endpoint('user', PostChange, async ({ db, actor, params, input }) => ({
    post: postShape(await editPost(db, actor, { ...input, postId: params.id! }), actor.timeZone),
  })),
  DELETE: endpoint('user', null, async ({ db, actor, params }) => {
    await deletePost(db, actor, params.id!);
    return { message: 'Post deleted successfully!' };
  }),
});

export const loader = handler;
export const action = handler;
