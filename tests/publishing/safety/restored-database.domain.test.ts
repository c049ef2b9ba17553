import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Actor } from '#app/domain/platform/actor.ts';
import { approvePost } from '#app/domain/publishing/approval/approve.ts';
import { deletePost } from '#app/domain/publishing/manual/delete.ts';
import { publishNow, undoPublishNow } from '#app/domain/publishing/manual/publish-now.ts';
import { handToOwners } from '#app/domain/publishing/safety/after-restore.ts';
import { releaseEpoch } from '#app/domain/publishing/safety/epoch.ts';
import { makePublisher, makeScheduledPost, readPost, standAs } from '#tests/fixtures/posts.ts';
import { testDatabase } from '#tests/harness/database.ts';
import { startOutside } from '#tests/harness/outside/sandbox.ts';

const outside = await startOutside();
const { db } = await testDatabase();
const HOUR = 3_600_000;
const later = (hours: number) => new Date(Date.now() + hours * HOUR);

type Door = {
  what: string;
  dueAt: Date;
  stands: (actor: Actor, id: string) => Promise<unknown>;
  press: (actor: Actor, id: string) => Promise<unknown>;
};

/** What may have gone out after the backup, and the doors by which its owner would give it another time. */
const DOORS: Door[] = [
  {
    what: 'approved',
    dueAt: later(-1),
    stands: (_, id) => standAs(db, id, { status: 'pending' }),
    press: (actor, id) => approvePost(db, actor, id),
  },
  {
    what: 'taken back to its time',
    dueAt: later(30),
    stands: (actor, id) => publishNow(db, actor, id),
    press: (actor, id) => undoPublishNow(db, actor, id),
  },
  {
    what: 'deleted, to be brought back later',
    dueAt: later(-1),
    stands: async () => {},
    press: (actor, id) => deletePost(db, actor, id),
  },
];

for (const { what, dueAt, stands, press } of DOORS) {
  test(`in a restored database no post that may be out can be ${what}: its owner is asked about it`, async () => {
    const actor = await makePublisher(db, outside.url);
    const id = await makeScheduledPost(db, actor, { dueAt });
    await stands(actor, id);
    await db.updateTable('publishingEpoch').set({ server: 'another' }).execute();
    try {
      await assert.rejects(press(actor, id), {
        code: 'publishing_checked',
        message: /being checked.*Try again later/,
      });
      await handToOwners(db, new Date());
    } finally {
      await releaseEpoch(db);
    }
    const { status, isUnconfirmed } = await readPost(db, id);
    assert.deepEqual([status, isUnconfirmed], ['failed', true]);
  });
}
