import { z } from 'zod';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { removeTopic, saveTopic } from '#app/domain/publishing/approval/save-topic.ts';
import { pauseTopic, resumeTopic } from '#app/domain/topics/pauses.ts';
import { TopicChange, TopicInput, TopicPause } from '#app/domain/topics/schema.ts';
import {
  createTopic,
  findTopic,
  listTopics,
  type Topic as TopicRow,
  toggleTopic,
} from '#app/domain/topics/topics.ts';
import { type Calls, endpoint } from '#app/http/api/endpoint.ts';
import { id, instant, iso, Message, pageOf, text } from '#app/http/api/schemas.ts';

const Topic = z
  .object({
    _id: id,
    name: text('Planning for small teams'),
    description: text('How three people plan a week'),
    keywords: z.array(text('planning')),
    tone: text('professional'),
    approval: z.string().nullable(),
    active: z.boolean(),
    paused: z.boolean(),
    pausedUntil: instant.nullable(),
    reason: z.string().nullable(),
    createdAt: instant,
  })
  .meta({ id: 'Topic' });
type Topic = z.infer<typeof Topic>;

const OneTopic = z.object({ topic: Topic });

/** A pause without a day lasts until the user ends it; `reason` says why the topic was paused automatically. */
export function topicShape(topic: TopicRow): Topic {
  const until = topic.isPaused ? topic.pausedUntil : null;
  return {
    _id: topic.id,
    name: topic.name,
    description: topic.description,
    keywords: topic.keywords,
    tone: topic.tone,
    approval: topic.approval,
    active: topic.isActive,
    paused: topic.isPaused,
    pausedUntil: iso(until),
    reason: topic.isPaused && !until ? topic.failure || null : null,
    createdAt: topic.createdAt.toISOString(),
  };
}

export const topicCalls: Calls = {
  '/topics': {
    GET: endpoint({
      summary: 'Lists the topics, newest first',
      access: 'user',
      input: PageQuery,
      response: pageOf('topics', Topic),
      handle: async ({ db, actor, input }) => {
        const { rows, nextCursor } = await listTopics(db, actor, input);
        return { topics: rows.map(topicShape), nextCursor };
      },
    }),
    POST: endpoint({
      summary: 'Creates a topic',
      access: 'user',
      input: TopicInput,
      example: { name: 'Planning for small teams', keywords: ['planning', 'focus'], tone: 'professional' },
      isIdempotent: true,
      status: 201,
      response: OneTopic,
      handle: async ({ db, actor, input }) => ({ topic: topicShape(await createTopic(db, actor, input)) }),
    }),
  },
  '/topics/:id': {
    GET: endpoint({
      summary: 'Returns a topic',
      access: 'user',
      response: OneTopic,
      handle: async ({ db, actor, params }) => ({
        topic: topicShape(await findTopic(db, actor, params.id!)),
      }),
    }),
    PUT: endpoint({
      summary: 'Changes the fields of a topic that are sent',
      access: 'user',
      input: TopicChange,
      example: { tone: 'casual' },
      response: OneTopic,
      handle: async ({ db, actor, params, input }) => ({
        topic: topicShape(await saveTopic(db, actor, { ...input, topicId: params.id! })),
      }),
    }),
    DELETE: endpoint({
      summary: 'Deletes a topic',
      access: 'user',
      response: Message,
      handle: async ({ db, actor, params }) => {
        await removeTopic(db, actor, params.id!);
        return { message: 'Topic deleted successfully' };
      },
    }),
  },
  '/topics/:id/toggle': {
    PUT: endpoint({
      summary: 'Switches a topic on or off',
      access: 'user',
      response: OneTopic,
      handle: async ({ db, actor, params }) => ({
        topic: topicShape(await toggleTopic(db, actor, params.id!)),
      }),
    }),
  },
  '/topics/:id/pause': {
    PUT: endpoint({
      summary: 'Pauses a topic until a day',
      access: 'user',
      input: TopicPause,
      example: { until: '2027-03-01' },
      response: OneTopic,
      handle: async ({ db, actor, params, input }) => ({
        topic: topicShape(await pauseTopic(db, actor, { ...input, topicId: params.id! })),
      }),
    }),
  },
  '/topics/:id/resume': {
    PUT: endpoint({
      summary: 'Ends the pause of a topic',
      access: 'user',
      response: OneTopic,
      handle: async ({ db, actor, params }) => ({
        topic: topicShape(await resumeTopic(db, actor, params.id!)),
      }),
    }),
  },
};
