/**
 * The cost of checking a password, how many are checked concurrently, and the latency of a page while 50 users a second, each
 * from an address of their own, try to sign in, half of them with a wrong password.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { hashPassword, isPassword } from '#app/domain/accounts/password/password.ts';
import { load } from '#bench/load/load.ts';
import { cpuSeconds, figure, number, percentile, spread, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const GUESSES = 20;
const USERS = 200;
const PER_SECOND = 50;
const SECONDS = 20;
const PASSWORD = 'correct horse battery';

/** `work`: milliseconds of CPU in all threads of this process. `clock`: elapsed milliseconds. */
async function costOfGuess(stored: string) {
  const [cpu, clock] = [process.cpuUsage(), performance.now()];
  await isPassword(stored, 'a guess');
  const { user, system } = process.cpuUsage(cpu);
  return { work: (user + system) / 1000, clock: performance.now() - clock };
}

await measure(async (stops) => {
  process.env.TRUST_PROXY = 'x-forwarded-for';
  const { app, db, startWeb } = await openProduct(stops);
  const stored = await hashPassword(PASSWORD);
  const guesses = [];
  for (let nth = 0; nth < GUESSES; nth += 1) guesses.push(await costOfGuess(stored));
  title(`A password, ${GUESSES} guesses one after the other`);
  figure('work of one', spread(guesses.map(({ work }) => work)));
  figure('time of one', spread(guesses.map(({ clock }) => clock)));
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: GUESSES }, () => isPassword(stored, 'a guess')));
  const each = (performance.now() - startedAt) / GUESSES;
  const one = percentile(
    guesses.map(({ clock }) => clock),
    0.5,
  );
  figure('side by side', `${(one / each).toFixed(1)} at once`);

  const emails = Array.from({ length: USERS }, () => `${randomUUID()}@example.com`);
  const user = {
    name: 'Ada',
    timeZone: 'UTC',
    role: 'user' as const,
    verifiedAt: new Date(),
    passwordHash: stored,
  };
  await db
    .insertInto('users')
    .values(emails.map((email) => ({ ...user, email })))
    .execute();
  const web = await startWeb();
  const pages = { url: `${app}/login`, perSecond: 20, connections: 8, isCompressed: false };
  const calm = await load({ ...pages, seconds: SECONDS / 2, warmUpSeconds: 3 });

  const answers: Record<string, number> = {};
  const pending: Promise<void>[] = [];
  const started = performance.now();
  const until = started + (SECONDS + 3) * 1000;
  const cpu = cpuSeconds(web.pid!);
  const signIn = async (nth: number) => {
    const body = { email: emails[nth % USERS], password: nth % 2 ? PASSWORD : 'not the password' };
    const { status } = await fetch(`${app}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Forwarded-For': `10.${nth >> 8}.${nth & 255}.1` },
      body: JSON.stringify(body),
    });
    answers[status] = (answers[status] ?? 0) + 1;
  };
  const countBroken = () => {
    answers.broken = (answers.broken ?? 0) + 1;
  };
  const flood = (async () => {
    for (let nth = 0; performance.now() < until; nth += 1) {
      const wait = started + (nth * 1000) / PER_SECOND - performance.now();
      if (wait > 0) await pause(wait);
      pending.push(signIn(nth).catch(countBroken));
    }
  })();
  const busy = await load({ ...pages, seconds: SECONDS, warmUpSeconds: 1 });
  await flood;
  await Promise.all(pending);

  title(`${PER_SECOND} sign-ins a second for ${SECONDS} s, and a page beside them`);
  figure('a page before', spread(calm.latencies));
  figure('a page meanwhile', spread(busy.latencies));
  figure(
    'answers of the sign-ins',
    Object.entries(answers)
      .map(([status, n]) => `${status}: ${n}`)
      .join(', '),
  );
  figure('work of the web process', `${number(cpuSeconds(web.pid!) - cpu)} s`);
});
