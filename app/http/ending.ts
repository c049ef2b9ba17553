import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeHead } from './door.ts';

const LONGEST_MS = 20_000;
/** A connection may be open whose request is still on its way. */
const GRACE_MS = 200;
const LOOK_MS = 10;

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
    if (server.listening) server.close();
    server.closeIdleConnections();
    const latest = Date.now() + LONGEST_MS;
    let quietSince = Date.now();
    while (Date.now() < latest && Date.now() - quietSince < GRACE_MS) {
      if ((await countConnections(server)) === 0) return;
      if (open.size > 0) quietSince = Date.now() + LOOK_MS;
      await wait(LOOK_MS);
    }
    server.closeAllConnections();
  };
}

const countConnections = (server: Server) =>
  new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count ?? 0)));
