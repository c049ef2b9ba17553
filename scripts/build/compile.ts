/**
 * Starts web and worker once as they are deployed, beside no database, so that Node keeps in NODE_COMPILE_CACHE what it
 * makes of their sources. A step of the Dockerfile: those of the image then neither strip types nor compile again.
 */
import { freePort } from '#scripts/start/ports.ts';
import { answersOk, startPart } from '#scripts/start/processes.ts';

const WITHIN_S = 60;
/** Where nothing listens: of a worker everything is loaded before it asks for the first time, and then it ends. */
const NOWHERE = 'postgres://nobody@127.0.0.1:1/nothing';

const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const env = {
  ...process.env,
  NODE_ENV: 'production',
  SANDBOX: '1',
  DATABASE_URL: NOWHERE,
  APP_URL: url,
  HOST: '127.0.0.1',
  PORT: `${port}`,
};
const start = (name: string, ...args: string[]) => {
  const said: string[] = [];
  const part = startPart({ name, args, env, print: (line) => said.push(line) });
  const endsWith = async (code: number) => {
    const ended = await part.ended;
    if (ended !== `${name} ended with exit code ${code}`) throw new Error(`${ended}:\n${said.join('\n')}`);
  };
  return { part, endsWith };
};

const worker = start('worker', 'worker/main.ts');
await worker.part.line(/ECONNREFUSED/, WITHIN_S);
await worker.endsWith(1);
const web = start('web', 'node_modules/@react-router/serve/bin.js', './server.ts');
await answersOk(`${url}/login`, web.part, WITHIN_S);
await web.part.stop(WITHIN_S);
await web.endsWith(0);
