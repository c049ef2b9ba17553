import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { queueMail } from '#app/domain/email/outbox.ts';
import { findDeadJob } from '#app/domain/operations/dead-jobs.ts';
import { jobs, ticks } from '#app/domain/platform/jobs.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';
import { startWire } from '#tests/harness/worker/network-proxy.ts';
import { type Stage, setStage } from '#tests/harness/worker/stage.ts';
import { until } from '#tests/harness/worker/until.ts';

const outside = await startOutside();
const wire = await startWire(outside.url);

/** In every shape in which errors bring what is somebody's own. */
const SAID = [
  'The row cannot be kept: "hunter2 is a text of somebody"',
  'of hunter2@example.com with password=hunter2 and token: hunter2',
  'the code 482913, Bearer hunter2, postgres://tidepost:hunter2@db.internal/tidepost',
  'key hunter2hunter2hunter2hunter2',
].join('\n');
const SECRETS = ['hunter2', '482913', 'db.internal'];

/** What is done in the database like this fails with those words. */
const failLike = ({ pool }: Stage, on: string) =>
  pool.query(`create function public.tells_all() returns trigger language plpgsql as
      $$ begin raise exception using errcode = '23514', message = $said$${SAID}$said$; end $$;
    create trigger tells_all ${on} for each row execute function public.tells_all()`);

/** A job that a real worker tries once, as it then stands in the queue. */
async function fail(t: TestContext, stage: Stage, name: string, payload: object) {
  const worker = await stage.worker();
  const { rows } = await stage.pool.query(
    'select id::text from graphile_worker.add_job($1, $2::json, max_attempts => 1)',
    [name, JSON.stringify(payload)],
  );
  const { id } = rows[0];
  let found = await findDeadJob(stage.db, id);
  await until('the job has failed', async () => {
    found = await findDeadJob(stage.db, id);
    return found !== undefined;
  });
  const { rows: kept } = await stage.pool.query(
    'select last_error from graphile_worker._private_jobs where id = $1',
    [id],
  );
  await worker.said('Failed task');
  t.diagnostic(kept[0].last_error);
  return { kept: kept[0].last_error as string, shown: found!.error!, log: worker.output() };
}

function assertCut({ kept, shown, log }: Awaited<ReturnType<typeof fail>>): void {
  for (const [where, text] of Object.entries({ kept, shown, log }))
    for (const secret of SECRETS) assert.ok(!text.includes(secret), `${where}: ${text}`);
  assert.doesNotMatch(kept, /\n/);
}

test('58 the queue keeps of what a job said no more than the log, and the desk still tells what failed', async (t) => {
  const stage = await setStage(t, outside, wire);
  await queueMail(stage.db, { address: 'ada@example.com', userId: null }, 'verifyEmail', {
    code: '135790',
    url: 'http://x.test',
  });
  const { rows } = await stage.pool.query(`select id from mails where to_address = 'ada@example.com'`);
  await stage.pool.query('delete from graphile_worker._private_jobs');
  await failLike(stage, 'before update on mails');
  const said = await fail(t, stage, jobs.sendMail.name, { mailId: rows[0].id });
  assertCut(said);
  assert.match(said.shown, /^The row cannot be kept: "\[cut\]" of \[cut\] with .* \(23514\)$/);
});

test('58 so it is of a tick, and of the sweep that it names', async (t) => {
  const stage = await setStage(t, outside, wire);
  await stage.pool.query(`update payments set
    starts_at = now() - interval '31 days', ends_at = now() - interval '1 minute'`);
  await failLike(stage, 'before update on payments');
  const said = await fail(t, stage, ticks.sweep.name, {});
  assertCut(said);
  assert.match(
    said.shown,
    /^The sweep of ended plans failed; 1 failed; The row cannot be kept: "\[cut\]" of \[cut\]/,
  );
});
