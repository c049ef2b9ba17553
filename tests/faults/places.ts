import { serveSockets } from '#tests/harness/outside/sandbox.ts';
import { PATIENT } from '#tests/harness/worker/process.ts';
import { soon, until } from '#tests/harness/worker/until.ts';
import type { Scene } from './scene.ts';

/** Many posts held at one point of their way: `there` when all are, `open` lets them go on. */
export type Hold = { there(): Promise<unknown>; open(): unknown; env?: Record<string, string> };

export type Place = {
  what: string;
  isPictured?: true;
  slowPictures?: true;
  /** Each post has a job of its own, as those have that need something before they can be sent. */
  isAlone?: true;
  /** Each holds a connection, so it takes several workers to have all of them there. */
  isInDatabase?: true;
  hold(scene: Scene): Promise<Hold> | Hold;
};

type Gate = { held: Promise<void>; open(): void };

const gates = (scene: Scene, make: (post: Scene['posts'][number]) => Gate): Hold => {
  const all = scene.posts.map(make);
  return {
    there: () => soon('every post is held', Promise.all(all.map(({ held }) => held))),
    open: () => {
      for (const gate of all) gate.open();
    },
  };
};

/** Held by a lock of the test. What is done for many posts at once takes one connection. */
const locked = (scene: Scene, held: { release(): Promise<void> }, least = scene.posts.length): Hold => ({
  there: () =>
    until(`${least} posts wait in the database`, async () => (await scene.stage.blocked()) >= least),
  open: held.release,
});

/** As `locked`, where a worker would give up before all are there. The workers that come after do as ever. */
const lockedForLong = async (scene: Scene, lock: string, values: unknown[] = [], least?: number) => ({
  ...locked(scene, await scene.stage.lock(lock, values), least),
  env: PATIENT,
});

/** Every post is out, and the queue is about to hear of it; it has fewer connections than there are jobs. */
async function ended(scene: Scene, which: string, least: number): Promise<Hold> {
  const held = await scene.stage.gate('before delete on graphile_worker._private_jobs', which);
  return {
    there: async () => {
      await scene.status('published');
      await locked(scene, held, least).there();
    },
    open: held.release,
  };
}

/** What is asked before an attempt is written takes this lock first (`locks.ts`). */
const WISHES = 'select pg_advisory_xact_lock(71400)';

const endToken = ({ stage }: Scene) =>
  stage.pool.query(`update linkedin_connections set expires_at = now() + interval '1 minute'`);

const alone = { isAlone: true, isInDatabase: true } as const;
const inDatabase = { isInDatabase: true } as const;
const pictured = { isPictured: true } as const;

export const PLACES = {
  together: {
    what: 'before the posts are taken together',
    hold: async (scene) => locked(scene, await scene.stage.lock(WISHES), 1),
  },
  taken: {
    ...alone,
    what: 'the job is taken, before the claim',
    hold: (scene) => lockedForLong(scene, 'select from posts where id = any($1) for update', [scene.ids]),
  },
  claimed: {
    ...alone,
    what: 'after the claim',
    hold: (scene) => lockedForLong(scene, WISHES),
  },
  renewed: {
    what: 'LinkedIn has renewed the token, before that is saved',
    hold: async (scene) => {
      await endToken(scene);
      return gates(scene, () => scene.wire.hold('after', 'POST /linkedin/oauth/v2/accessToken'));
    },
  },
  saved: {
    ...inDatabase,
    what: 'after the new token is saved',
    hold: async (scene) => {
      await endToken(scene);
      return lockedForLong(scene, WISHES);
    },
  },
  loading: {
    ...pictured,
    slowPictures: true,
    what: 'the picture is being loaded',
    hold: ({ posts, picture }) => ({
      there: () => soon('pictures are asked for', Promise.all(posts.map((_post, nth) => picture.asked(nth)))),
      open: () => {
        for (const nth of posts.keys()) picture.open(nth);
      },
    }),
  },
  initialised: {
    ...pictured,
    what: 'the upload is announced',
    hold: (scene) =>
      gates(scene, () => scene.wire.hold('after', 'POST /linkedin-api/rest/images?action=initializeUpload')),
  },
  uploaded: {
    ...pictured,
    what: 'the picture is uploaded, before that is kept',
    hold: (scene) => gates(scene, () => scene.wire.hold('after', 'PUT /linkedin-upload/')),
  },
  kept: {
    ...pictured,
    what: 'the picture is kept',
    hold: (scene) => lockedForLong(scene, WISHES, [], Math.min(scene.posts.length, 7)),
  },
  attempts: {
    what: 'before the attempts at all of them are committed',
    hold: async (scene) => locked(scene, await scene.stage.gate('before insert on publish_attempts'), 1),
  },
  attempt: {
    ...alone,
    what: 'before the attempt is committed',
    hold: async (scene) => locked(scene, await scene.stage.gate('before insert on publish_attempts')),
  },
  connecting: {
    what: 'the attempt is written, before a byte of the call',
    hold: async ({ posts }) => {
      const enough = Promise.withResolvers<void>();
      const cuts: (() => void)[] = [];
      // It takes connections and says nothing: TLS never comes to the request.
      const silent = await serveSockets((socket) => {
        socket.once('data', () => cuts.push(() => socket.destroy()) === posts.length && enough.resolve());
      });
      return {
        env: { LINKEDIN_API_URL: `https://${silent}` },
        there: () => soon('every call connects', enough.promise),
        open: () => {
          for (const cut of cuts) cut();
        },
      };
    },
  },
  calling: {
    what: 'the call is under way',
    hold: (scene) => gates(scene, ({ marker }) => scene.wire.holdPost('before', marker)),
  },
  answered: {
    what: 'LinkedIn has answered, the answer is on its way',
    hold: (scene) => gates(scene, ({ marker }) => scene.wire.holdPost('after', marker)),
  },
  outcome: {
    what: 'the answers are read, before the outcomes are committed',
    hold: async (scene) => {
      const on = 'before update on publish_attempts';
      const held = await scene.stage.gate(on, `old.state = 'sending'`);
      return {
        there: async () => {
          await scene.called();
          await locked(scene, held, 1).there();
        },
        open: held.release,
      };
    },
  },
  complete: {
    what: 'the outcomes are committed, before the queue knows',
    hold: async (scene) => ended(scene, `old.key like 'send-batch:%'`, 1),
  },
  'complete-alone': {
    ...alone,
    what: 'the outcome is committed, before the queue knows',
    hold: async (scene) => ended(scene, `old.key like 'publish:%'`, 3),
  },
} satisfies Record<string, Place>;

export type PlaceName = keyof typeof PLACES;
