import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { addReading } from './read-tools.ts';
import type { Caller } from './responses.ts';
import { addDrafting, addEditing, addPlacing } from './write-tools.ts';

/** What an assistant may do for its owner: the same functions and rules as the API, and nothing that is published by it. */
export function toolsFor(caller: Caller): McpServer {
  const server = new McpServer({ name: 'tidepost', title: 'Tidepost', version: '1' });
  for (const add of [addReading, addDrafting, addEditing, addPlacing]) add(server, caller);
  return server;
}
