import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { z } from 'zod';
import { postShape } from '#app/domain/posts/api-shape.ts';
import { findPost } from '#app/domain/posts/lists/post.ts';
import { PostChange } from '#app/domain/posts/schema.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { editPost } from '#app/domain/publishing/edit/edit.ts';
import { SlotKey } from '#app/domain/publishing/schema.ts';
import { movePost } from '#app/domain/publishing/slots/move.ts';
import { generateNow } from '#app/domain/writing/runs/start.ts';
import { GenerateInput } from '#app/domain/writing/schema.ts';
import { limitAccount } from '#app/http/rate-limit.ts';
import { runShape } from '#app/routes/api/v1/writing.ts';
import { type Caller, CHANGES, requireWrite, toolResult } from './responses.ts';

const postId = z.string().describe('The _id of a post');

export function addDrafting(server: McpServer, { db, actor, session }: Caller): void {
  server.registerTool(
    'draft_post',
    {
      description:
        'Has posts written now, about a topic or the next one in turn. They are there some seconds later: ask list_posts. As everything that is written, they wait for approval where their owner wants that.',
      inputSchema: GenerateInput.shape,
      annotations: CHANGES,
    },
    (input) =>
      toolResult(async () => {
        requireWrite(session);
        await limitAccount('write', actor.userId);
        return { run: runShape(await generateNow(db, actor, input)) };
      }),
  );
}

/** Runs a change of a post and returns the changed post. */
const changeWith =
  ({ db, actor, session }: Caller) =>
  (id: string, run: () => Promise<unknown>) =>
    toolResult(async () => {
      requireWrite(session);
      await run();
      return { post: postShape(await findPost(db, actor, id), actor.timeZone) };
    });

export function addEditing(server: McpServer, caller: Caller): void {
  const { db, actor } = caller;
  const change = changeWith(caller);
  const description =
    'Changes the text or the hashtags of a post that is not out; what is left out stays as it is';
  const inputSchema = { postId, content: z.string().optional(), hashtags: z.array(z.string()).optional() };
  server.registerTool(
    'edit_post',
    { description, inputSchema, annotations: CHANGES },
    ({ postId: id, ...input }) =>
      change(id, () => editPost(db, actor, { ...PostChange.parse(input), postId: id })),
  );
}

export function addPlacing(server: McpServer, caller: Caller): void {
  const { db, actor } = caller;
  const change = changeWith(caller);
  server.registerTool(
    'approve_post',
    {
      description: 'Approves a post that waits for it, as its owner: ask them before',
      inputSchema: { postId },
      annotations: CHANGES,
    },
    ({ postId: id }) => change(id, () => approvePost(db, actor, id)),
  );
  const slot = z.string().describe('The day and which of its publish times, from 1: "2027-03-01 2"');
  server.registerTool(
    'move_post',
    {
      description:
        'Moves a post that waits to another free time; one that waits for approval goes on waiting for it',
      inputSchema: { postId, slot },
      annotations: CHANGES,
    },
    ({ postId: id, slot: to }) =>
      change(id, () => movePost(db, actor, { postId: id, slot: SlotKey.parse(to) })),
  );
}
