import type { Generated, JSONColumnType } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type RunStatus = 'queued' | 'running' | 'complete';
/** A statement of a post about its author, with the fact that supports it. */
export type PostClaim = { text: string; factId: string | null };

type WriterCalls = {
  /** YYYY-MM-DD in UTC. */
  day: string;
  calls: Generated<number>;
  /** Bigints. */
  inputTokens: Generated<string>;
  outputTokens: Generated<string>;
};

export type WritingTables = {
  /** Calls of the writer by day, for each user and in total. */
  writerCalls: WriterCalls & { userId: string };
  writerDays: WriterCalls;
  generationRuns: {
    id: Generated<string>;
    userId: string;
    scheduledFor: Nullable<Date>;
    topicId: Nullable<string>;
    status: Generated<RunStatus>;
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
    /** For a rewrite: the post, and the revision of its text. */
    postId: Nullable<string>;
    instruction: Nullable<string>;
    postRevision: Nullable<number>;
    claimedAt: Nullable<Date>;
    /** Requested for one topic, which may have been deleted since. */
    isForTopic: Generated<boolean>;
    /** Identifies the submit of a form, to detect repetitions. */
    requestKey: Nullable<string>;
    /** For a manual request: its month, YYYY-MM, in the user's time zone at that time. */
    requestedMonth: Nullable<string>;
    createdAt: CreatedAt;
    finishedAt: Nullable<Date>;
  };
  /** The attempts to write one item of a run. */
  generationAttempts: {
    runId: string;
    position: number;
    answers: Generated<number>;
    /** The problems of the last text, for the writer and for the user. */
    rejections: Generated<string[]>;
    complaints: Generated<string[]>;
    /** The last rejected text. */
    rejected: Nullable<string>;
    /** Since when a call is running; null without one. */
    calledAt: Nullable<Date>;
    /** When it first answered or was stopped during a call; from then on the item counts. */
    answeredAt: Nullable<Date>;
    startedAt: Nullable<Date>;
    endedAt: Nullable<Date>;
  };
  /** One for each post since briefs are stored. */
  briefs: {
    postId: string;
    userId: string;
    brief: JSONColumnType<Record<string, unknown>, string, string>;
    /** The generated text. */
    content: string;
    thesis: string;
    claims: JSONColumnType<PostClaim[], string, string>;
    score: number;
    reasons: string[];
    findings: string[];
    createdAt: CreatedAt;
  };
};
