import type { Task, TaskList } from 'graphile-worker';
import type { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { cleanUp } from '#app/domain/accounts/clean-up.ts';
import { eachAlone } from '#app/domain/each-alone.ts';
import { deliverMail } from '#app/domain/email/send.ts';
import { resumeMails } from '#app/domain/email/sweep.ts';
import { jobs } from '#app/domain/jobs.ts';
import { endExpiredConnections, forgetStates } from '#app/domain/linkedin/sweep.ts';
import { endPlans, warnEndingPlans } from '#app/domain/payments/expiry.ts';
import { confirmPublication, publishPost } from '#app/domain/publishing/publish.ts';
import { sweepPublications } from '#app/domain/publishing/sweep.ts';
import { setAsideUnapproved } from '#app/domain/queue/approval.ts';
import { enqueueDuePosts } from '#app/domain/queue/due.ts';
import { refitQueue } from '#app/domain/queue/refit.ts';
import { releaseForgotten } from '#app/domain/queue/sweep.ts';
import { startDueRuns } from '#app/domain/writing/due-runs.ts';
import { resumeRuns } from '#app/domain/writing/sweep.ts';
import { writeRun } from '#app/domain/writing/write-run.ts';

/** Parses the payload at the door; an unknown shape is an error of ours and fails the job. */
function task<P>(schema: z.ZodType<P>, run: (payload: P) => Promise<unknown>): Task {
  return async (payload) => {
    await run(schema.parse(payload));
  };
}

const tick =
  (run: () => Promise<unknown>): Task =>
  async () => {
    await run();
  };

/** Every task of the worker: thin skins over domain functions, each safe to run twice. */
export function createTasks(db: Db): TaskList {
  return {
    [jobs.sendMail.name]: task(jobs.sendMail.payload, ({ mailId }) => deliverMail(db, mailId)),
    [jobs.writeRun.name]: task(jobs.writeRun.payload, ({ runId }) => writeRun(db, runId)),
    [jobs.publishPost.name]: task(jobs.publishPost.payload, ({ postId }) => publishPost(db, postId)),
    [jobs.confirmPublication.name]: task(jobs.confirmPublication.payload, ({ publicationId }) =>
      confirmPublication(db, publicationId),
    ),
    [jobs.refitQueue.name]: task(jobs.refitQueue.payload, ({ userId }) => refitQueue(db, userId)),
    'tick-publishing': tick(() => enqueueDuePosts(db)),
    'tick-generation': tick(() => startDueRuns(db)),
    'sweep-publications': tick(() => sweepPublications(db)),
    'set-aside-unapproved': tick(() => setAsideUnapproved(db, new Date())),
    'sweep-jobs': tick(() =>
      eachAlone([resumeMails, resumeRuns, releaseForgotten, endExpiredConnections], (sweep) => sweep(db)),
    ),
    'end-plans': tick(() => endPlans(db)),
    'warn-ending-plans': tick(() => warnEndingPlans(db)),
    'clean-up': tick(() => eachAlone([cleanUp, forgetStates], (sweep) => sweep(db))),
  };
}
