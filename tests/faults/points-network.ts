import type { IncomingHttpHeaders } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { nextUtcMidnight } from '#app/domain/publishing/safety/pause.ts';
import type { Reply } from '#tests/harness/worker/network-proxy.ts';
import { until } from '#tests/harness/worker/until.ts';
import type { Expectation } from './audit.ts';
import type { Point } from './points.ts';
import type { Scene } from './scene.ts';

const ONCE: Expectation = { fate: ['published'], calls: [1, 1] };
const TWICE: Expectation = { fate: ['published'], calls: [2, 2] };
/** A call is given up after 30 s, which is longer than anything else here is waited for. */
const CALL_MS = 31_000;

async function begin(scene: Scene) {
  await scene.start();
  await scene.tick();
}

async function strike(scene: Scene, ...kinds: string[]) {
  for (const { marker } of scene.posts)
    for (const kind of kinds) await scene.outside.fault(kind, { match: marker });
}

/** The sandbox fails so the first time that it is called for each post. */
const fault = (name: string, kind: string, expects: Expectation, takesMs = 0): Point => ({
  name,
  what: kind.replace('linkedin.', ''),
  expects,
  act: async (scene) => {
    await strike(scene, kind);
    await begin(scene);
    await wait(takesMs);
    await scene.stage.idle();
  },
});

/** The first answer for each post comes back as something else. */
const answer = (name: string, what: string, reply: Reply, expects: Expectation, takesMs = 0): Point => ({
  name,
  what,
  expects,
  act: async (scene) => {
    for (const { marker } of scene.posts) scene.wire.answerPost(marker, reply);
    await begin(scene);
    await wait(takesMs);
  },
});

/** So much time passes, and LinkedIn is not called meanwhile. */
async function isLeftAlone(scene: Scene, seconds: number) {
  await scene.stage.idle();
  const before = await scene.calls();
  await scene.minute(seconds);
  await scene.tick();
  await scene.stage.idle();
  const calls = (await scene.calls()) - before;
  if (calls > 0) throw new Error(`${calls} calls in the ${seconds} s after LinkedIn asked to wait`);
}

/** In seconds, to the end of LinkedIn's day, with which its limit ends. */
const leftOfDay = () => (nextUtcMidnight(new Date()).getTime() - Date.now()) / 1_000;

/** More than a busy machine needs to meet the limit and to look: nothing is watched so shortly before its end. */
const AT_WORK_SECONDS = 90;

/** Another post of theirs is there, and LinkedIn calls all that come after it doubles of that one. */
const doubleOfOther = (name: string, what: string, expects: Expectation, ...kinds: string[]): Point => ({
  name,
  what,
  expects,
  act: async (scene) => {
    const { stage, posts } = scene;
    const other = await stage.duePost();
    await scene.start();
    await stage.alone(other);
    await until('the other one is there', async () => (await stage.read(other)).post.status === 'published');
    await strike(scene, ...kinds);
    await scene.tick();
    await stage.settleAll(posts);
    const { live, post } = await stage.read(other);
    if (live.length !== 1 || post.networkUrn !== live[0]!.urn) throw new Error('The other one has changed');
  },
});

/** Nothing can be sent at first; what is there later sends all. */
const unreachable = (name: string, what: string, api: (scene: Scene) => string): Point => ({
  name,
  what,
  expects: ONCE,
  act: async (scene) => {
    const cutOff = await scene.start({ LINKEDIN_API_URL: api(scene) });
    await scene.tick();
    await until('every post was tried', async () => {
      const tried = await scene.stage.db
        .selectFrom('publishAttempts')
        .select('id')
        .where('state', '=', 'not_accepted')
        .execute();
      return tried.length >= scene.posts.length;
    });
    cutOff.signal('SIGTERM');
    await scene.end(cutOff);
    await scene.start();
  },
});

/** An invalid name, so that no server is asked for it. */
const NO_NAME = `http://${'x'.repeat(64)}.invalid`;

const withoutLength = ({ 'content-length': _length, ...headers }: IncomingHttpHeaders) => headers;
const ofStatus =
  (status: number, more: IncomingHttpHeaders = {}, body = ''): Reply =>
  (res, { headers }) =>
    res.writeHead(status, { ...withoutLength(headers), ...more }).end(body);

const drip: Reply = (res) => {
  const bytes = 'HTTP/1.1 201 Created\r\nx-a: b\r\n'.split('').values();
  const next = () => {
    const { value } = bytes.next();
    if (!value || res.socket?.destroyed) return;
    res.socket?.write(value);
    setTimeout(next, 2_000).unref();
  };
  next();
};

export const NETWORK: Point[] = [
  { name: 'F1', what: 'no fault', expects: ONCE, act: begin },
  fault('F2', 'linkedin.drop-after', TWICE),
  fault('F3', 'linkedin.hang-after', TWICE, CALL_MS),
  fault('F3-before', 'linkedin.hang-before', TWICE, CALL_MS),
  {
    name: 'F4',
    what: 'cut off before the text is read',
    expects: ONCE,
    act: async (scene) => {
      scene.wire.resetPosts(scene.posts.length);
      await begin(scene);
    },
  },
  fault('F5', 'linkedin.drop-before', TWICE),
  fault('F6', 'linkedin.500-after', TWICE),
  fault('F7', 'linkedin.500-before', TWICE),
  fault('F7-html', 'linkedin.html-502', TWICE),
  fault('F8', 'linkedin.429', TWICE),
  fault('F8-retry-1', 'linkedin.429-retry-1', TWICE),
  {
    name: 'F8-retry-60',
    what: '429-retry-60, and nothing is tried sooner',
    expects: TWICE,
    act: async (scene) => {
      await strike(scene, 'linkedin.429-retry-60');
      await begin(scene);
      // Without it 30 s would be waited for.
      await isLeftAlone(scene, 40);
    },
  },
  {
    name: 'F8-app-day',
    what: '429-app-day, for everybody, until the day is over',
    expects: { fate: ['published'], calls: [1, 2] },
    act: async (scene) => {
      await strike(scene, 'linkedin.429-app-day');
      if (leftOfDay() < 2 * AT_WORK_SECONDS) await wait(leftOfDay() * 1_000 + 1_000);
      const watched = Math.min(10 * 60, leftOfDay() - AT_WORK_SECONDS);
      // Half of them come when the others have met the limit.
      await scene.stage.pool.query(
        `update post_schedules set due_at = now() + $2 * interval '1 second' where post_id = any($1)`,
        [scene.ids.filter((_id, nth) => nth % 2 === 0), watched / 2],
      );
      await begin(scene);
      await isLeftAlone(scene, watched);
      await fetch(`${scene.outside.url}/api/faults`, { method: 'DELETE' });
      // Late by no more than what still goes out.
      const left = leftOfDay();
      await scene.stage.pool.query(`update post_schedules set due_at = now() + $1 * interval '1 second'`, [
        left,
      ]);
      await scene.minute(left);
    },
  },
  fault('F8-day', 'linkedin.429-day', { fate: ['waiting'], calls: [1, 1] }),
  fault('F9', 'linkedin.401-revoked', { fate: ['waiting'], calls: [0, 1] }),
  fault('F10', 'linkedin.403-empty', { fate: ['failed'], calls: [1, 1] }),
  fault('F11', 'linkedin.422', { fate: ['failed'], calls: [1, 1] }),
  fault('F12', 'linkedin.422-duplicate', { fate: ['failed'], calls: [1, 1] }),
  doubleOfOther(
    'F12-other',
    '422-duplicate with the urn of another post of theirs',
    { fate: ['failed'], calls: [1, 1] },
    'linkedin.422-duplicate',
  ),
  doubleOfOther(
    'F12-resend',
    'no answer, and to the resend 422-duplicate with the urn of another post of theirs',
    { fate: ['unconfirmed'], calls: [2, 2] },
    'linkedin.drop-before',
    'linkedin.422-duplicate',
  ),
  fault('F13', 'linkedin.201-no-id', ONCE),
  answer(
    'F14',
    '201 with an id and broken JSON',
    ofStatus(201, { 'content-type': 'application/json' }, '{"'),
    ONCE,
  ),
  answer('F15', '302 to another server', ofStatus(302, { location: 'http://127.0.0.1:9/' }), TWICE),
  answer('F16', 'an answer of a byte every two seconds', drip, TWICE, CALL_MS),
  unreachable('F17', 'no TLS', ({ outside }) => outside.url.replace('http:', 'https:')),
  unreachable('F18', 'no such name', () => NO_NAME),
  unreachable('F18-port', 'nobody listens', () => 'http://127.0.0.1:9'),
  answer('F19', '200 instead of 201', ofStatus(200), ONCE),
  answer('F20', '201 with 10 MB', ofStatus(201, {}, 'x'.repeat(10 * 1024 * 1024)), ONCE),
];
