/**
 * Requests per second of the pages a visitor sees, uncompressed and from one web process, and the CPU of
 * each. Beside them a page of the same size by node:http alone, in turns.
 */
import { freePort } from '#scripts/ports.ts';
import { type Part, startPart } from '#scripts/processes.ts';
import { cpuSeconds, figure, kilobytes, number, title } from './figures.ts';
import { load, otherAnswers } from './load.ts';
import { measure, openProduct } from './product.ts';

const PRESSURE = { connections: 8, seconds: 6, warmUpSeconds: 3, isCompressed: false };

async function press(url: string, part: Part) {
  const before = cpuSeconds(part.pid);
  const loaded = await load({ ...PRESSURE, url });
  const cpu = cpuSeconds(part.pid) - before;
  const perSecond = loaded.latencies.length / loaded.seconds;
  // The CPU counts from the start of the warm-up, in which the rate is nearly the same.
  const share = cpu / (PRESSURE.seconds + PRESSURE.warmUpSeconds);
  return { perSecond, cpuMs: (share * 1000) / perSecond, others: otherAnswers(loaded) };
}

await measure(async (stops) => {
  const { app, startWeb } = await openProduct(stops);
  const web = await startWeb();
  title(`Pages of a visitor, ${PRESSURE.connections} connections, ${PRESSURE.seconds} s each`);
  for (const [name, address] of [
    ['landing', '/'],
    ['login', '/login'],
  ]) {
    const bytes = (await (await fetch(app + address)).arrayBuffer()).byteLength;
    const port = await freePort();
    const args = ['bench/bare-server.ts', `${port}`, `${bytes}`];
    const bare = startPart({ name: 'bare', args, env: process.env, print: () => {} });
    stops.push(() => bare.stop(1));
    await bare.line(/ready/, 10);
    const limit = await press(`http://127.0.0.1:${port}/`, bare);
    const page = await press(app + address, web);
    await bare.stop(1);
    const figures = ({ perSecond, cpuMs }: typeof page) =>
      `${number(perSecond)} requests/s, ${cpuMs.toFixed(2)} ms CPU each`;
    figure(`${name}, ${kilobytes(bytes)}`, figures(page), 'goal 1,000/s');
    figure('  beside it node:http alone', figures(limit), `${(limit.cpuMs / page.cpuMs).toFixed(3)} of it`);
    if (page.others || limit.others) figure('  other answers', `${page.others} ${limit.others}`);
  }
});
