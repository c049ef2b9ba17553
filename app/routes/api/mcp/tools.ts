import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { getSettings } from '#app/domain/automation/settings.ts';
import { PageQuery } from '#app/domain/platform/paging.ts';
import { postShape } from '#app/domain/posts/api-shape.ts';
import { POST_STATUSES } from '#app/domain/posts/limits.ts';
import { listApiPosts } from '#app/domain/posts/lists/list.ts';
import { listTopics } from '#app/domain/topics/topics.ts';
import { topicShape } from '#app/routes/api/v1/topics.ts';
import { type Caller, READS, toolResult } from './responses.ts';
import { addDrafting, addEditing, addPlacing } from './write-tools.ts';

function addReading(server: McpServer, { db, actor }: Caller): void {
  server.registerTool(
    'list_topics',
    {
      description: 'Lists the topics that posts are written about, newest first',
      inputSchema: PageQuery.shape,
      annotations: READS,
    },
    (input) =>
      toolResult(async () => {
        const { rows, nextCursor } = await listTopics(db, actor, input);
        return { topics: rows.map(topicShape), nextCursor };
      }),
  );
  server.registerTool(
    'list_posts',
    {
      description:
        'Lists posts, newest first: pending ones wait for approval, generated ones go out at publishAt. With them the publish times of a day and the zone in which they count.',
      inputSchema: { ...PageQuery.shape, status: z.enum(POST_STATUSES).optional() },
      annotations: READS,
    },
    (input) =>
      toolResult(async () => {
        const { rows, nextCursor } = await listApiPosts(db, actor, input);
        const { publishTimes, timeZone } = await getSettings(db, actor);
        return { posts: rows.map((post) => postShape(post, timeZone)), nextCursor, publishTimes, timeZone };
      }),
  );
}

/** The tools call the same functions as the API. None of them publishes. */
export function toolsFor(caller: Caller): McpServer {
  const server = new McpServer({ name: 'tidepost', title: 'Tidepost', version: '1' });
  for (const add of [addReading, addDrafting, addEditing, addPlacing]) add(server, caller);
  return server;
}
