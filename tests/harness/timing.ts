import assert from 'node:assert/strict';

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** How often a value of the one list is larger than one of the other: a half when nothing tells them apart. */
function chanceLarger(ones: number[], others: number[]): number {
  const wins = ones.flatMap((one): number[] =>
    others.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)),
  );
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
}

/** What the work costs this process in milliseconds, all its threads together: what else the machine does counts for nothing. */
export async function costOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Of each kind: what a stranger could measure without being noticed. */
export const CALLS = 200;

type Kinds = Record<string, () => Promise<() => Promise<unknown>>>;

/** The costs of each kind of call, made by turns. What a kind prepares before its call is not measured. */
export async function costsOf(kinds: Kinds, calls: number): Promise<Map<string, number[]>> {
  const costs = new Map(Object.keys(kinds).map((name) => [name, [] as number[]]));
  for (let round = 0; round < calls; round += 1) {
    for (const [name, prepare] of Object.entries(kinds)) {
      const work = await prepare();
      costs.get(name)!.push(await costOf(work));
    }
  }
  return costs;
}

/**
 * Medians at most `most` milliseconds apart. With `ranks`, drawing one cost of each kind also says little about which
 * kind it is of: a difference of one hash would tell every time.
 */
export function assertAlike(costs: Map<string, number[]>, { most, ranks }: { most: number; ranks?: number }) {
  const all = [...costs];
  const said = all.map(([name, each]) => `${name} ${median(each).toFixed(2)} ms`).join(', ');
  const medians = all.map(([, each]) => median(each));
  assert.ok(Math.max(...medians) - Math.min(...medians) < most, said);
  if (ranks === undefined) return said;
  for (const [name, ones] of all) {
    for (const [other, others] of all) {
      const chance = chanceLarger(ones, others);
      assert.ok(Math.abs(chance - 0.5) < ranks, `${name} beside ${other}: ${chance.toFixed(2)} (${said})`);
    }
  }
  return said;
}
