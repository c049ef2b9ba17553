import type { TestContext } from 'node:test';
import { type Audit, audit } from './audit.ts';
import type { Point } from './points.ts';
import { setScene, type World } from './scene.ts';

/** Fewer are enough to see that a control is gone. */
const TRIALS = Number(process.env.TRIALS ?? 20);

export type Row = Audit & { name: string; what: string; trials: number; seconds: number };

/** Lets one fault meet so many posts, brings them to their end, and compares the three ledgers. */
export async function runPoint(t: TestContext, world: World, point: Point, trials = TRIALS): Promise<Row> {
  const begun = performance.now();
  const { name, what, isPictured, slowPictures, expects, act } = point;
  const scene = await setScene(t, world, { trials, isPictured, slowPictures: slowPictures ? trials : 0 });
  const row = { name, what, trials, doubles: 0, lost: 0, unknown: 0, broken: [] as string[] };
  try {
    await act(scene);
    if (!expects.fate.includes('waiting')) await scene.stage.settleAll(scene.posts);
  } catch (error) {
    row.broken.push((error as Error).message);
  }
  const found = await audit(scene.stage, world.outside, scene.posts, expects);
  const seconds = (performance.now() - begun) / 1_000;
  return { ...row, ...found, broken: [...row.broken, ...found.broken], seconds };
}

const MOST_SENTENCES = 5;

export function printRow({ name, what, trials, doubles, lost, unknown, seconds, broken }: Row): void {
  const numbers = [trials, doubles, lost, unknown].map((number) => String(number).padStart(7)).join(' ');
  const mark = broken.length > 0 ? '✖' : '✔';
  console.log(`${mark} ${name.padEnd(16)}${numbers} ${seconds.toFixed(1).padStart(7)}  ${what}`);
  for (const sentence of broken.slice(0, MOST_SENTENCES)) console.log(`    ${sentence}`);
  if (broken.length > MOST_SENTENCES) console.log(`    and ${broken.length - MOST_SENTENCES} more`);
}

export function printHead(): void {
  console.log(`  ${'point'.padEnd(16)} trials doubles    lost unknown seconds`);
}

/** The sums, and what they prove: none in n trials bounds the rate at 3/n. */
export function printSums(rows: Row[]): void {
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  const trials = sum((row) => row.trials);
  const [doubles, lost, unknown] = [
    sum((row) => row.doubles),
    sum((row) => row.lost),
    sum((row) => row.unknown),
  ];
  const broken = rows.filter((row) => row.broken.length > 0).map(({ name }) => name);
  console.log(
    `\n${rows.length} points, ${trials} trials: ${doubles} doubles, ${lost} lost, ${unknown} handed to their owner as unknown, ${Math.round(sum((row) => row.seconds))} s`,
  );
  if (doubles + lost === 0 && trials > 0) {
    const most = (300 / trials).toFixed(2);
    console.log(
      `With 95 % certainty fewer than ${most} % of posts that meet such a fault are doubled, or lost.`,
    );
  }
  console.log(broken.length > 0 ? `Broken: ${broken.join(', ')}` : 'Nothing is broken.');
}
