import { setTimeout as wait } from 'node:timers/promises';

/** A minute, but for a suite whose whole point is to have many processes at once. */
const PATIENCE_MS = Number(process.env.TEST_PATIENCE_MS ?? 60_000);

const FIRST_PAUSE_MS = 15;
const LONGEST_PAUSE_MS = 50;

/** Asks again and again, the longer the less often, until the answer is truthy; it has to be within the time there is. */
export async function until<T>(
  what: string,
  ask: () => T | Promise<T>,
  patienceMs = PATIENCE_MS,
): Promise<NonNullable<T>> {
  const deadline = Date.now() + patienceMs;
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 1.2, LONGEST_PAUSE_MS)) {
    const answer = await ask();
    if (answer) return answer;
    if (Date.now() > deadline)
      throw new Error(`It did not come to this within ${patienceMs / 1_000} s: ${what}`);
    await wait(pause);
  }
}

/** A promise that has to come within the time there is. */
export function soon<T>(what: string, promise: Promise<T>): Promise<T> {
  let isThere = false;
  const seen = promise.finally(() => {
    isThere = true;
  });
  return Promise.race([seen, until(what, () => isThere).then(() => seen)]);
}
