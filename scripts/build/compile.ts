/**
 * A step of the Dockerfile: starts web and worker once, without a database, so that Node stores their compiled sources in
 * NODE_COMPILE_CACHE. Processes of the image then need not strip types and compile again.
 */
import { freePort } from '#scripts/start/ports.ts';
import { waitUntilOk, startPart } from '#scripts/start/processes.ts';

const MOST_SECONDS = 60;
/** The worker ends at its first query, when it has loaded all of its modules. */
const UNREACHABLE_DATABASE = 'postgres://nobody@127.0.0.1:1/nothing';

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = {
  ...process.env,
  NODE_ENV: 'production',
  SANDBOX: '1',
  DATABASE_URL: UNREACHABLE_DATABASE,
  APP_URL: url,
  HOST: '127.0.0.1',
  PORT: `${port}`,
};
const start = (name: string, ...args: string[]) => {
  const output: string[] = [];
  const part = startPart({ name, args, env, print: (line) => output.push(line) });
  const endsWith = async (code: number) => {
    const ended = await part.ended;
    if (ended !== `${name} ended with exit code ${code}`) throw new Error(`${ended}:\n${output.join('\n')}`);
  };
  return { part, endsWith };
};

const worker = start('worker', 'worker/main.ts');
await worker.part.line(/ECONNREFUSED/, MOST_SECONDS);
await worker.endsWith(1);
const web = start('web', 'node_modules/@react-router/serve/bin.js', './server.ts');
await waitUntilOk(`${url}/login`, web.part, MOST_SECONDS);
await web.part.stop(MOST_SECONDS);
await web.endsWith(0);
