import { toggleTopic } from '#app/domain/topics/topics.ts';
import { apiRoute, endpoint } from '#app/http/api.ts';
import { topicShape } from './shapes.ts';

const handler = apiRoute({
  PUT: endpoint('user', null, async ({ db, actor, params }) => ({
    topic: topicShape(await toggleTopic(db, actor, params.id!)),
  })),
});

export const loader = handler;
export const action = handler;
