import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setImmediate as turn, setTimeout as wait } from 'node:timers/promises';
import { beforeHead } from './door.ts';

const LONGEST_MS = 20_000;
const LONGEST_ACCEPTING_MS = 8_000;
/** Turns of the event loop in a row without a new connection: each of them accepts one at most. */
const QUIET_TURNS = 20;
const LOOK_MS = 10;
/** Looks in turn that must find nothing open: a connection may be there whose request is still on its way. */
const QUIET_LOOKS = 20;

/**
 * Watches the requests of a server. The function that comes back ends it: nothing new is accepted, idle
 * connections are closed, and it resolves when all that was begun is answered, or after 20 s.
 */
export function watchRequests(server: Server): () => Promise<void> {
  const open = new Set<ServerResponse>();
  let isEnding = false;
  server.prependListener('request', (_request: IncomingMessage, response: ServerResponse) => {
    open.add(response);
    response.once('close', () => open.delete(response));
    beforeHead(response, () => {
      if (isEnding) response.shouldKeepAlive = false;
    });
  });
  return async () => {
    isEnding = true;
    const latest = Date.now() + LONGEST_MS;
    await acceptWaiting(server);
    server.close();
    // Counted in looks, not in time: a busy process may not have read for longer than any grace.
    for (let quiet = 0; quiet < QUIET_LOOKS && Date.now() < latest; quiet = open.size > 0 ? 0 : quiet + 1) {
      if ((await countConnections(server)) === 0) return;
      await wait(LOOK_MS);
    }
    server.closeAllConnections();
  };
}

/** Accepts and reads what the system has taken already: to close is to reset what was not read yet. */
async function acceptWaiting(server: Server): Promise<void> {
  let quiet = 0;
  server.on('connection', () => {
    quiet = 0;
  });
  const latest = Date.now() + LONGEST_ACCEPTING_MS;
  for (; quiet < QUIET_TURNS && Date.now() < latest; quiet += 1) await turn();
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
