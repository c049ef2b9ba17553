import { PageQuery } from '#app/domain/paging.ts';
import { TopicInput } from '#app/domain/topics/schema.ts';
import { createTopic, listTopics } from '#app/domain/topics/topics.ts';
import { apiRoute, created, endpoint } from '#app/http/api.ts';
import { topicShape } from './shapes.ts';

const handler = apiRoute({
  GET: endpoint('user', PageQuery, async ({ db, actor, input }) => {
    const { rows, nextCursor } = await listTopics(db, actor, input);
    return { topics: rows.map(topicShape), nextCursor };
  }),
  POST: endpoint('user', TopicInput, async ({ db, actor, input }) =>
    created({ topic: topicShape(await createTopic(db, actor, input)) }),
  ),
});

export const loader = handler;
export const action = handler;
