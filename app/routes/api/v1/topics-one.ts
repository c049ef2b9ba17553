import { TopicChange } from '#app/domain/topics/schema.ts';
import { changeTopic, deleteTopic, findTopic } from '#app/domain/topics/topics.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { topicShape } from './shapes.ts';

const handler = apiRoute({
  GET: endpoint('user', null, async ({ db, actor, params }) => ({
    topic: topicShape(await findTopic(db, actor, params.id!)),
  })),
  PUT: endpoint('user', TopicChange, async ({ db, actor, params, input }) => ({
    topic: topicShape(await changeTopic(db, actor, { ...input, topicId: params.id! })),
  })),
  DELETE: endpoint('user', null, async ({ db, actor, params }) => {
    await deleteTopic(db, actor, params.id!);
    return { message: 'Topic deleted successfully' };
  }),
});

export const loader = handler;
export const action = handler;
