/**
 * Requests per second of the public pages from one web process, without compression, and the CPU of each. They are compared
 * with pages of the same size by React Router alone and by node:http alone.
 */
import { measureLoad, startBaseline } from '#bench/measure/beside.ts';
import { figure, kilobytes, number, percentile, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const PRESSURE = { connections: 8, seconds: 4, warmUpSeconds: 2, isCompressed: false };
const RUNS = Number(process.env.BENCH_RUNS || 3);
const PAGES = [
  ['landing', '/'],
  ['login', '/login'],
] as const;

type Cost = Awaited<ReturnType<typeof measureLoad>>;

const formatCost = ({ perSecond, cpuMs }: Cost) =>
  `${number(perSecond)} requests/s, ${cpuMs.toFixed(3)} ms CPU each`;
const medianRun = (runs: Cost[]) => {
  const perSecond = percentile(
    runs.map((run) => run.perSecond),
    0.5,
  );
  return runs.find((run) => run.perSecond === perSecond)!;
};

await measure(async (stops) => {
  const { app, startWeb } = await openProduct(stops);
  const web = await startWeb();
  title(`Pages of a visitor, ${PRESSURE.connections} connections, ${RUNS} times ${PRESSURE.seconds} s each`);
  for (const [name, address] of PAGES) {
    const bytes = (await (await fetch(app + address)).arrayBuffer()).byteLength;
    const router = await startBaseline(stops, 'bare-router', bytes);
    const http = await startBaseline(stops, 'bare-server', bytes);
    const runs = { page: [] as Cost[], router: [] as Cost[], http: [] as Cost[] };
    for (let run = 0; run < RUNS; run += 1) {
      runs.router.push(await measureLoad({ ...PRESSURE, url: router.url }, router.part.pid));
      runs.page.push(await measureLoad({ ...PRESSURE, url: app + address }, web.pid));
      runs.http.push(await measureLoad({ ...PRESSURE, url: http.url }, http.part.pid));
    }
    await Promise.all([router.part.stop(1), http.part.stop(1)]);
    const [page, bare, limit] = [medianRun(runs.page), medianRun(runs.router), medianRun(runs.http)];
    const shareOf = (beside: Cost) => `${(beside.cpuMs / page.cpuMs).toFixed(2)} of it by CPU`;
    figure(`${name}, ${kilobytes(bytes)}`, formatCost(page));
    figure('  beside it React Router alone', formatCost(bare), `${shareOf(bare)}, G1: at least 0.5`);
    figure('  beside it node:http alone', formatCost(limit), shareOf(limit));
    const others = runs.page.map((run) => run.others).filter(Boolean);
    if (others.length > 0) figure('  other answers', others.join(' '));
  }
}, 10 * 60_000);
