import { PageQuery } from '#app/domain/paging.ts';
import { removeTopic, saveTopic } from '#app/domain/queue/topic-consent.ts';
import { pauseTopic, resumeTopic } from '#app/domain/topics/pauses.ts';
import { TopicChange, TopicInput, TopicPause } from '#app/domain/topics/schema.ts';
import { createTopic, findTopic, listTopics, toggleTopic } from '#app/domain/topics/topics.ts';
import { apiRoutes, endpoint } from '#app/http/api.ts';
import { SAYS } from './says-posts.ts';
import { topicShape } from './shapes.ts';

const handler = apiRoutes({
  '/topics': {
    GET: endpoint('user', PageQuery, SAYS.topics, async ({ db, actor, input }) => {
      const { rows, nextCursor } = await listTopics(db, actor, input);
      return { topics: rows.map(topicShape), nextCursor };
    }),
    POST: endpoint(
      'user',
      TopicInput,
      SAYS.createTopic,
      async ({ db, actor, input }) => ({ topic: topicShape(await createTopic(db, actor, input)) }),
      { isOnce: true },
    ),
  },
  '/topics/:id': {
    GET: endpoint('user', null, SAYS.topic, async ({ db, actor, params }) => ({
      topic: topicShape(await findTopic(db, actor, params.id!)),
    })),
    PUT: endpoint('user', TopicChange, SAYS.changeTopic, async ({ db, actor, params, input }) => ({
      topic: topicShape(await saveTopic(db, actor, { ...input, topicId: params.id! })),
    })),
    DELETE: endpoint('user', null, SAYS.deleteTopic, async ({ db, actor, params }) => {
      await removeTopic(db, actor, params.id!);
      return { message: 'Topic deleted successfully' };
    }),
  },
  '/topics/:id/toggle': {
    PUT: endpoint('user', null, SAYS.toggleTopic, async ({ db, actor, params }) => ({
      topic: topicShape(await toggleTopic(db, actor, params.id!)),
    })),
  },
  '/topics/:id/pause': {
    PUT: endpoint('user', TopicPause, SAYS.pauseTopic, async ({ db, actor, params, input }) => ({
      topic: topicShape(await pauseTopic(db, actor, { ...input, topicId: params.id! })),
    })),
  },
  '/topics/:id/resume': {
    PUT: endpoint('user', null, SAYS.resumeTopic, async ({ db, actor, params }) => ({
      topic: topicShape(await resumeTopic(db, actor, params.id!)),
    })),
  },
});

export const loader = handler;
export const action = handler;
