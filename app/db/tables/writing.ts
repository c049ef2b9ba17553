import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type RunStatus = 'queued' | 'running' | 'complete';
/** A sentence of a post about its author, with the fact that says so. */
export type ClaimOfPost = { text: string; factId: string | null };

type WriterCalls = {
  /** A calendar day in UTC, YYYY-MM-DD. */
  day: string;
  calls: Generated<number>;
  /** Bigints, so strings. */
  inputTokens: Generated<string>;
  outputTokens: Generated<string>;
};

/** The writing of posts, and what was decided about each before. */
export type WritingTables = {
  /** What the writer was asked on each day: by each user, and in all. */
  writerCalls: WriterCalls & { userId: string };
  writerDays: WriterCalls;
  generationRuns: {
    id: Generated<string>;
    userId: string;
    scheduledFor: Nullable<Date>;
    topicId: Nullable<string>;
    status: ColumnType<RunStatus, RunStatus | undefined, RunStatus>;
    requested: number;
    done: Generated<number>;
    failed: Generated<number>;
    error: Nullable<string>;
    model: Nullable<string>;
    inputTokens: Generated<number>;
    outputTokens: Generated<number>;
    leaseUntil: Nullable<Date>;
    slotDate: Nullable<string>;
    slotNumber: Nullable<number>;
    insteadAt: Nullable<Date>;
    /** The post that is written again, as its author asked, from the text at a revision. */
    postId: Nullable<string>;
    instruction: Nullable<string>;
    postRevision: Nullable<number>;
    claimedAt: Nullable<Date>;
    /** It was asked for about one topic, which may be deleted since. */
    isForTopic: Generated<boolean>;
    /** What a form asked for, with the key of its page. */
    requestKey: Nullable<string>;
    /** The month in which it was asked for by hand, YYYY-MM, on the clock of its user then. */
    requestedMonth: Nullable<string>;
    createdAt: CreatedAt;
    finishedAt: Nullable<Date>;
  };
  /** What the writer was asked for one place of a run, and from when to when somebody dealt with it. */
  generationAttempts: {
    runId: string;
    position: number;
    answers: Generated<number>;
    /** What was wrong with the last one, as the writer is told, and as the user is. */
    rejections: Generated<string[]>;
    complaints: Generated<string[]>;
    /** The last answer that was not taken, as the writer gave it. */
    rejected: Nullable<string>;
    /** Since when the writer is being asked; null when it is not. */
    calledAt: Nullable<Date>;
    /** When it first answered, or was stopped on its way to that: from then on the place counts. */
    answeredAt: Nullable<Date>;
    startedAt: Nullable<Date>;
    endedAt: Nullable<Date>;
  };
  /** One for each post that the writer wrote since briefs are kept. */
  briefs: {
    postId: string;
    userId: string;
    brief: JSONColumnType<Record<string, unknown>, string, string>;
    /** The text as it was written. */
    content: string;
    thesis: string;
    claims: JSONColumnType<ClaimOfPost[], string, string>;
    score: number;
    reasons: string[];
    findings: string[];
    createdAt: CreatedAt;
  };
};
