/**
 * Requests per second of the pages a visitor sees, uncompressed and from one web process, and the CPU of
 * each. Beside them two of the same size, in turns: by React Router alone, and by node:http alone.
 */
import { loadAtCost, startBeside } from '#bench/measure/beside.ts';
import { figure, kilobytes, number, percentile, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const PRESSURE = { connections: 8, seconds: 4, warmUpSeconds: 2, isCompressed: false };
const RUNS = Number(process.env.BENCH_RUNS || 3);
const PAGES = [
  ['landing', '/'],
  ['login', '/login'],
] as const;

type Cost = Awaited<ReturnType<typeof loadAtCost>>;

const tell = ({ perSecond, cpuMs }: Cost) =>
  `${number(perSecond)} requests/s, ${cpuMs.toFixed(3)} ms CPU each`;
/** The run in the middle. */
const middle = (runs: Cost[]) => {
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
    const router = await startBeside(stops, 'bare-router', bytes);
    const http = await startBeside(stops, 'bare-server', bytes);
    const runs = { page: [] as Cost[], router: [] as Cost[], http: [] as Cost[] };
    for (let run = 0; run < RUNS; run += 1) {
      runs.router.push(await loadAtCost({ ...PRESSURE, url: router.url }, router.part.pid));
      runs.page.push(await loadAtCost({ ...PRESSURE, url: app + address }, web.pid));
      runs.http.push(await loadAtCost({ ...PRESSURE, url: http.url }, http.part.pid));
    }
    await Promise.all([router.part.stop(1), http.part.stop(1)]);
    const [page, bare, limit] = [middle(runs.page), middle(runs.router), middle(runs.http)];
    const of = (beside: Cost) => `${(beside.cpuMs / page.cpuMs).toFixed(2)} of it by CPU`;
    figure(`${name}, ${kilobytes(bytes)}`, tell(page));
    figure('  beside it React Router alone', tell(bare), `${of(bare)}, G1: at least 0.5`);
    figure('  beside it node:http alone', tell(limit), of(limit));
    const others = runs.page.map((run) => run.others).filter(Boolean);
    if (others.length > 0) figure('  other answers', others.join(' '));
  }
}, 10 * 60_000);
