import { existsSync, readFileSync } from 'node:fs';

/** What a runner counted, and the names of what failed where its report tells them. */
export type Count = { passed: number; failed: number; names?: string[] };

/** Reads the summary at the end of a TAP report of `node --test`: `# pass N`, `# fail N` … */
export function countTap(report: string): Count {
  const number = (name: string) => {
    const found = [...report.matchAll(new RegExp(`^# ${name} (\\d+)$`, 'gm'))].at(-1)?.[1];
    if (found === undefined) throw new Error(`The report of node --test does not say "# ${name} N".`);
    return Number(found);
  };
  const names = [...report.matchAll(/^ *not ok \d+ - (.*)$/gm)].map(([, name]) => name!);
  return { passed: number('pass'), failed: number('fail') + number('cancelled'), names };
}

type Suite = { file: string; specs?: { title: string; ok: boolean }[]; suites?: Suite[] };

const failedIn = ({ file, specs = [], suites = [] }: Suite): string[] => [
  ...specs.filter(({ ok }) => !ok).map(({ title }) => `${file}: ${title}`),
  ...suites.flatMap(failedIn),
];

/** Reads Playwright's JSON report. A failure before the first test, as in the set-up, counts as one. */
export function countPlaywright(report: string): Count {
  const { stats, errors, suites } = JSON.parse(report) as {
    stats: { expected: number; unexpected: number; flaky: number };
    errors: unknown[];
    suites: Suite[];
  };
  const failed = stats.unexpected + stats.flaky + errors.length;
  return { passed: stats.expected, failed, names: suites.flatMap(failedIn) };
}

/** The count of a report file; one failure when the runner died without writing it. */
export function countFile(file: string, count: (report: string) => Count): Count {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  try {
    return count(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error((error as Error).message);
    return { passed: 0, failed: 1 };
  }
}
