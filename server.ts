/**
 * The entry for `react-router-serve`, which imports it before it sets up its log and its server. So this file can switch off
 * morgan's log line, which has every query string, and put app/http/server/front-server.ts in front of the server.
 */
import { subscribe } from 'node:diagnostics_channel';
import { Server } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import morgan from 'morgan';
// @ts-expect-error The build has no types of its own.
import * as build from './build/server/index.js';

morgan.format('tiny', () => null);

type Entry = {
  allowedActionOrigins: () => string[];
  startFront: (server: Server, routes: object) => () => Promise<void>;
  shutDown: () => Promise<void>;
};
const { allowedActionOrigins: origins, startFront, shutDown } = build.entry.module as Entry;

// @ts-expect-error The build has no types of its own.
export * from './build/server/index.js';
export const allowedActionOrigins = origins();

/** A query that waits for a lock would keep the database open. */
const CLOSE_WITHIN_MS = 2_000;
const close = () => Promise.race([shutDown(), wait(CLOSE_WITHIN_MS)]);

// react-router-serve does not expose the server that it creates. Node announces on this channel which server is about
// to listen, before its first request.
subscribe('tracing:net.server.listen:asyncStart', (message) => {
  const { server } = message as { server: unknown };
  if (!(server instanceof Server)) return;
  const endRequests = startFront(server, build.routes);
  let isStopping = false;
  const stop = () => {
    if (isStopping) return;
    isStopping = true;
    void endRequests()
      .then(close)
      .finally(() => process.exit(0));
  };
  process.once('disconnect', stop);
  // react-router-serve then installs its own signal handlers, which would reset connections that are being opened.
  setImmediate(() => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.removeAllListeners(signal).once(signal, stop);
  });
});
