import { postAgain, publishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { soon, until } from '#tests/harness/worker/until.ts';
import type { Expectation } from './audit.ts';
import { type Hold, PLACES, type Place, type PlaceName } from './places.ts';
import type { Point } from './points.ts';
import type { Scene } from './scene.ts';

const ONCE: Expectation = { fate: ['published'], calls: [1, 1] };
const CONFIRMED: Expectation = { fate: ['published'], calls: [2, 2] };
const HANDED: Expectation = { fate: ['unconfirmed'], calls: [0, 1] };

/** Workers of which every post has come to the place. */
export async function bringTo(scene: Scene, name: PlaceName) {
  const place: Place = PLACES[name];
  const hold: Hold = await place.hold(scene);
  const workers = place.isInDatabase ? await scene.startMany(hold.env) : [await scene.start(hold.env)];
  await (place.isAlone ? scene.alone() : scene.tick());
  await hold.there();
  return { workers, open: hold.open };
}

async function killAt(scene: Scene, name: PlaceName) {
  const { workers, open } = await bringTo(scene, name);
  await scene.stage.kill(...workers);
  await open();
}

const at = (place: PlaceName) => {
  const { what, isPictured, slowPictures }: Place = PLACES[place];
  return { what, isPictured, slowPictures };
};

const killed = (name: string, place: PlaceName, expects: Expectation, more?: Partial<Point>): Point => ({
  ...at(place),
  name,
  expects,
  act: async (scene) => {
    await killAt(scene, place);
    await scene.start();
  },
  ...more,
});

/** A deploy: told to stop, it ends what it has begun, well and without a doubt. */
const stopped = (of: string, place: PlaceName, signals = 1): Point => ({
  ...at(place),
  name: signals > 1 ? 'K21' : `K20-${of}`,
  expects: ONCE,
  act: async (scene) => {
    const { workers, open } = await bringTo(scene, place);
    for (let n = 0; n < signals; n++) for (const worker of workers) worker.signal('SIGTERM');
    await open();
    await soon('the workers end', Promise.all(workers.map(scene.end)));
    if ((await scene.stage.leftLocked()).length > 0) throw new Error('A deploy leaves jobs locked');
    await scene.start();
  },
});

/** A zombie: stopped for as long as the others need to publish, and then goes on. */
const frozen = (name: string, place: PlaceName, expects: Expectation): Point => ({
  ...at(place),
  name,
  what: `stopped, others publish, it goes on: ${PLACES[place].what}`,
  expects,
  act: async (scene) => {
    const { workers, open } = await bringTo(scene, place);
    for (const worker of workers) worker.signal('SIGSTOP');
    await scene.stage.forget();
    await scene.start();
    await scene.stage.settleAll(scene.posts);
    await open();
    for (const worker of workers) worker.signal('SIGCONT');
    await scene.stage.allDone();
  },
});

/** Postgres is killed under them, and the workers live on. */
const crashed = (of: string, place: PlaceName, expects: Expectation): Point => ({
  ...at(place),
  name: `K28-${of}`,
  what: `Postgres is killed: ${PLACES[place].what}`,
  expects,
  act: async (scene) => {
    const { workers, open } = await bringTo(scene, place);
    await scene.crash();
    await open();
    const isHere = () =>
      scene.stage.db.selectFrom('publishAttempts').select('id').where('state', '=', 'sending');
    await until('every answer is written', async () => (await isHere().execute()).length === 0);
    await scene.stage.kill(...workers);
    await scene.start();
  },
});

const tickWith = (scene: Scene) =>
  scene.stage.pool.query(`select graphile_worker.add_job('tick-publishing')`);

const killedInTick = (name: string, what: string, on: string, when: string): Point => ({
  name,
  what,
  expects: ONCE,
  act: async (scene) => {
    const held = await scene.stage.gate(`${on} on graphile_worker._private_jobs`, when);
    // With its only worker in the tick it takes none of the jobs that this has added.
    const victim = await scene.start({ WORKER_CONCURRENCY: '1' });
    await tickWith(scene);
    await victim.blocked();
    await scene.stage.kill(victim);
    await held.release();
    await scene.start();
  },
});

const NOT_SENT: Expectation = { fate: ['waiting'], calls: [0, 0] };

/** Their owner or the operator wants it no more, after the tick, and for a post with a job of its own the claim. */
const unwanted = (name: string, place: PlaceName, what: string, sql: string): Point => ({
  ...at(place),
  name,
  what: `${what}: ${PLACES[place].what}`,
  expects: NOT_SENT,
  act: async (scene) => {
    const { workers, open } = await bringTo(scene, place);
    await scene.stage.pool.query(sql);
    await open();
    await scene.stage.allDone();
    for (const worker of workers) await worker.kill();
  },
});

const WISHES: [what: string, sql: string][] = [
  ['unapproved', `update post_schedules set status = 'pending'`],
  ['deleted', 'update posts set deleted_at = now()'],
  ['disconnected', `update linkedin_connections set status = 'expired'`],
  ['missed', 'update linkedin_connections set resumed_at = now(), resume_choice = null'],
  ['paused', 'update automation_settings set is_enabled = false'],
  [
    'unpaid',
    `update payments set starts_at = now() - interval '40 days', ends_at = now() - interval '1 second'`,
  ],
  ['switch', `update publishing_pause set paused_until = now() + interval '1 hour'`],
];

const UNWANTED: Point[] = [
  ...WISHES.map(([what, sql]) => unwanted(`K30-${what}`, 'loading', what, sql)),
  ...WISHES.map(([what, sql]) => unwanted(`K30-${what}-together`, 'together', what, sql)),
];

const twice = (scene: Scene, act: typeof publishNow) =>
  Promise.allSettled(
    scene.posts.flatMap(({ id }) => [1, 2].map(() => act(scene.stage.db, scene.stage.actor, id))),
  );

const BY_HAND: Point[] = [
  {
    name: 'K4',
    what: 'Publish now is pressed twice at once',
    expects: ONCE,
    act: async (scene) => {
      await twice(scene, publishNow);
      await scene.start();
    },
  },
  {
    name: 'K26',
    what: 'Post it again is pressed twice at once, and the worker is killed in it',
    isPictured: true,
    expects: { fate: ['published'], calls: [2, 2], byHand: 1 },
    act: async (scene) => {
      await killAt(scene, 'answered');
      const first = await scene.start();
      await scene.stage.settleAll(scene.posts);
      await scene.stage.kill(first);
      await twice(scene, postAgain);
      await killAt(scene, 'attempts');
      await scene.start();
    },
  },
];

const BACKUP = ['post_schedules', 'publishing_epoch']
  .map((table) => `create table public.backup_${table} as table ${table}`)
  .join(';');
const RESTORE = `
  truncate publish_attempts;
  delete from post_schedules;
  insert into post_schedules select * from backup_post_schedules;
  update publishing_epoch set beat = b.beat from backup_publishing_epoch b`;

/** Nothing goes out of a restored database before the operator has looked. */
async function isSilent(scene: Scene) {
  const before = await scene.calls();
  await scene.stage.pool.query(RESTORE);
  await scene.start();
  await scene.minute(4 * 60);
  await tickWith(scene);
  await scene.tick();
  await scene.stage.idle();
  if ((await scene.calls()) > before) throw new Error('Sent from a restored database');
}

const comesLater = (scene: Scene, ids: string[], minutes: number) =>
  scene.stage.pool.query(
    `update post_schedules set due_at = now() + $2 * interval '1 minute' where post_id = any($1)`,
    [ids, minutes],
  );

const RESTORED: Point[] = [
  {
    name: 'K29',
    what: 'a backup from before half of them went out is restored, and their owners are asked',
    expects: { fate: ['unconfirmed', 'published'], calls: [1, 1], forgotten: 1 },
    act: async (scene) => {
      const { pool } = scene.stage;
      const due = scene.ids.filter((_id, nth) => nth % 2 === 0);
      await comesLater(scene, scene.ids, 10);
      await comesLater(scene, due, 0);
      await pool.query(BACKUP);
      const first = await scene.start();
      await tickWith(scene);
      await scene.stage.minutes(1, async () => (await scene.calls()) === due.length);
      await scene.stage.kill(first);
      await isSilent(scene);
      await scene.resume('--ask');
    },
  },
  {
    name: 'K29-yes',
    what: 'a backup is restored, nothing went out after it, and it is released as it is',
    expects: ONCE,
    act: async (scene) => {
      await comesLater(scene, scene.ids, 3);
      await scene.stage.pool.query(BACKUP);
      const first = await scene.start();
      await tickWith(scene);
      await scene.stage.idle();
      await scene.stage.kill(first);
      await isSilent(scene);
      await scene.resume('--yes');
    },
  },
];

const OTHERS: Point[] = [
  {
    name: 'K19',
    what: 'after all is done',
    expects: ONCE,
    act: async (scene) => {
      const first = await scene.start();
      await scene.stage.settleAll(scene.posts);
      await scene.stage.kill(first);
      await scene.start();
      await scene.stage.minutes(3, async () => false).catch(() => {});
    },
  },
  {
    name: 'K24',
    what: 'three jobs for each post, two workers',
    expects: ONCE,
    act: async (scene) => {
      for (const postId of [...scene.ids, ...scene.ids, ...scene.ids]) {
        const payload = JSON.stringify({ postId });
        await scene.stage.pool.query(`select graphile_worker.add_job('publish-post', $1::json)`, [payload]);
      }
      await Promise.all([scene.start(), scene.start()]);
    },
  },
  {
    name: 'K24-together',
    what: 'many jobs that send together, four workers',
    expects: ONCE,
    act: async (scene) => {
      for (let part = 0; part < 16; part++) {
        const payload = JSON.stringify({ part });
        await scene.stage.pool.query(`select graphile_worker.add_job('send-batch', $1::json)`, [payload]);
      }
      await Promise.all([scene.start(), scene.start(), scene.start(), scene.start()]);
    },
  },
  {
    name: 'K25',
    what: 'the sweep is killed in the middle',
    expects: CONFIRMED,
    act: async (scene) => {
      await killAt(scene, 'answered');
      await scene.minute();
      const held = await scene.stage.lockPost(scene.posts[scene.posts.length >> 1]!);
      const victim = await scene.start();
      await scene.stage.pool.query(`select graphile_worker.add_job('sweep-publishing')`);
      await victim.blocked();
      await scene.stage.kill(victim);
      await held.release();
      await scene.start();
    },
  },
  {
    name: 'K27',
    what: 'handed to their owner, before the mails are out',
    isPictured: true,
    expects: HANDED,
    act: async (scene) => {
      await killAt(scene, 'calling');
      const held = await scene.stage.gate('before update on mails', 'new.sent_at is not null');
      const victim = await scene.start();
      await scene.minute();
      await scene.stage.pool.query(`select graphile_worker.add_job('sweep-publishing')`);
      await victim.blocked(3);
      await scene.stage.kill(victim);
      await held.release();
      await scene.start();
      await scene.stage.minutes(6, async () => {
        const waiting = await scene.stage.pool.query(
          `select from mails where kind = 'postUnconfirmed' and sent_at is null`,
        );
        return waiting.rowCount === 0;
      });
    },
  },
  ...RESTORED,
  killed('lease', 'answered', CONFIRMED, {
    what: 'found when the lease of its claim is over',
    act: async (scene) => {
      await killAt(scene, 'answered');
      await scene.minute(5.5 * 60);
      await scene.start();
    },
  }),
  killed(
    'window',
    'answered',
    { fate: ['unconfirmed'], calls: [1, 1] },
    {
      what: 'found when LinkedIn no longer refuses the same text',
      act: async (scene) => {
        await killAt(scene, 'answered');
        await scene.minute(9.5 * 60);
        await scene.start();
      },
    },
  ),
];

const WAYS: [string, PlaceName][] = [
  ['K3', 'together'],
  ['K5', 'taken'],
  ['K6', 'claimed'],
  ['K7', 'renewed'],
  ['K8', 'saved'],
  ['K9', 'loading'],
  ['K10', 'initialised'],
  ['K11', 'uploaded'],
  ['K12', 'kept'],
  ['K13', 'attempts'],
  ['K13-alone', 'attempt'],
  ['K14', 'connecting'],
  ['K15', 'calling'],
  ['K16', 'answered'],
  ['K17', 'outcome'],
  ['K18', 'complete'],
  ['K18-alone', 'complete-alone'],
];

const TOLD_TWICE = new Set(['K16', 'K17']);
const isJob = `new.key like 'publish%'`;

export const CRASHES: Point[] = [
  killedInTick('K1', 'before the jobs are committed', 'before insert', isJob),
  killedInTick('K2', 'after the jobs are committed', 'before delete', 'old.key is null'),
  ...WAYS.map(([name, place]) => killed(name, place, TOLD_TWICE.has(name) ? CONFIRMED : ONCE)),
  killed('K15-picture', 'calling', { ...HANDED, calls: [0, 0] }, { isPictured: true }),
  killed('K16-picture', 'answered', { ...HANDED, calls: [1, 1] }, { isPictured: true }),
  ...BY_HAND,
  ...WAYS.map(([name, place]) => stopped(name, place)),
  stopped('K16', 'answered', 2),
  frozen('K22-loading', 'loading', ONCE),
  frozen('K22-uploaded', 'uploaded', ONCE),
  frozen('K23-connecting', 'connecting', ONCE),
  frozen('K23-calling', 'calling', CONFIRMED),
  frozen('K23-answered', 'answered', CONFIRMED),
  ...OTHERS,
  crashed('K13', 'attempts', ONCE),
  crashed('K13-alone', 'attempt', ONCE),
  crashed('K15', 'calling', ONCE),
  crashed('K16', 'answered', ONCE),
  crashed('K17', 'outcome', ONCE),
  ...UNWANTED,
];
