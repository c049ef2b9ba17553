/**
 * Requests per second of the pages a visitor sees, uncompressed and from one web process, and the CPU of
 * each. Beside them a page of the same size by node:http alone, in turns.
 */
import { loadAtCost, startBeside } from './beside.ts';
import { figure, kilobytes, number, title } from './figures.ts';
import { measure, openProduct } from './product.ts';

const PRESSURE = { connections: 8, seconds: 6, warmUpSeconds: 3, isCompressed: false };

await measure(async (stops) => {
  const { app, startWeb } = await openProduct(stops);
  const web = await startWeb();
  title(`Pages of a visitor, ${PRESSURE.connections} connections, ${PRESSURE.seconds} s each`);
  for (const [name, address] of [
    ['landing', '/'],
    ['login', '/login'],
  ]) {
    const bytes = (await (await fetch(app + address)).arrayBuffer()).byteLength;
    const bare = await startBeside(stops, 'bare-server', bytes);
    const limit = await loadAtCost({ ...PRESSURE, url: bare.url }, bare.part.pid);
    const page = await loadAtCost({ ...PRESSURE, url: app + address }, web.pid);
    await bare.part.stop(1);
    const figures = ({ perSecond, cpuMs }: typeof page) =>
      `${number(perSecond)} requests/s, ${cpuMs.toFixed(2)} ms CPU each`;
    figure(`${name}, ${kilobytes(bytes)}`, figures(page), 'goal 1,000/s');
    figure('  beside it node:http alone', figures(limit), `${(limit.cpuMs / page.cpuMs).toFixed(3)} of it`);
    if (page.others || limit.others) figure('  other answers', `${page.others} ${limit.others}`);
  }
});
