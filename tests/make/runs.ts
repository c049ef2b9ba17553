import type { Db } from '#app/db/client.ts';
import { decideBrief } from '#app/domain/writing/generate/brief.ts';
import type { GeneratedPost } from '#app/domain/writing/generate/brief-store.ts';
import { writeRun } from '#app/domain/writing/runs/write-run.ts';

/** Writes a run as the worker does, job after job, until it is complete or waits. */
export async function writeWhole(db: Db, runId: string, now = new Date()): Promise<void> {
  const look = async () => ({
    run: await db
      .selectFrom('generationRuns')
      .select('status')
      .where('id', '=', runId)
      .executeTakeFirstOrThrow(),
    ended: await db
      .selectFrom('generationAttempts')
      .select('position')
      .where('runId', '=', runId)
      .where('endedAt', 'is not', null)
      .execute(),
  });
  for (;;) {
    const { ended: before } = await look();
    await writeRun(db, runId, now);
    const { run, ended } = await look();
    if (run.status === 'complete' || ended.length === before.length) return;
  }
}

/** A post as the writer would give it, with a brief without facts. */
export const composedOf = (content: string): GeneratedPost => ({
  brief: decideBrief(
    {
      topic: 'Planning',
      reader: '',
      author: '',
      language: 'en',
      tone: 'professional',
      hasEmoji: false,
    },
    [],
    { before: [], after: [] },
  ),
  draft: {
    content,
    hashtags: ['Plans', 'Focus', 'Teams'],
    thesis: 'Plans get read when they are short',
    claims: [],
  },
  findings: [],
  score: 60,
  reasons: [],
});
