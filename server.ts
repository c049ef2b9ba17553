/**
 * What `react-router-serve` runs: the build, with two settings that only the running process knows.
 * react-router-serve imports this file before it sets up its log, so morgan's line can be switched off
 * here: it would write every query string. The app logs its own requests.
 */
import morgan from 'morgan';
// @ts-expect-error The build has no types of its own.
import * as build from './build/server/index.js';

morgan.format('tiny', () => null);

const { allowedActionOrigins: origins, shutDown } = build.entry.module as {
  allowedActionOrigins: () => string[];
  shutDown: () => Promise<void>;
};

// @ts-expect-error The build has no types of its own.
export * from './build/server/index.js';
export const allowedActionOrigins = origins();

let isStopping = false;
function stop() {
  if (isStopping) return;
  isStopping = true;
  setTimeout(() => shutDown().finally(() => process.exit(0)), 200);
}
process.once('SIGTERM', stop);
process.once('SIGINT', stop);
process.once('disconnect', stop);
