import type { Task, TaskList } from 'graphile-worker';
import type { z } from 'zod';
import type { Db } from '#app/db/client.ts';
import { cleanUp } from '#app/domain/accounts/clean-up.ts';
import { startDueRuns } from '#app/domain/automation/due-runs.ts';
import { refitQueue } from '#app/domain/automation/settings.ts';
import { deliverMail } from '#app/domain/email/send.ts';
import { jobs } from '#app/domain/jobs.ts';
import { endPlans, warnEndingPlans } from '#app/domain/payments/expiry.ts';
import { enqueueDuePosts } from '#app/domain/publishing/due.ts';
import { setAsideUnapproved } from '#app/domain/publishing/late.ts';
import { confirmPublication, publishPost } from '#app/domain/publishing/publish.ts';
import { sweepPublications } from '#app/domain/publishing/sweep.ts';
import { sweepJobs } from '#app/domain/sweep-jobs.ts';
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
    'sweep-jobs': tick(() => sweepJobs(db)),
    'end-plans': tick(() => endPlans(db)),
    'warn-ending-plans': tick(() => warnEndingPlans(db)),
    'clean-up': tick(() => cleanUp(db)),
  };
}
