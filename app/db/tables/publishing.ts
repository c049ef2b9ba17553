import type { Generated } from 'kysely';
import type { Nullable } from './accounts.ts';

/** Whether and since when anything is published at all. */
export type PublishingTables = {
  publishingEpoch: {
    id: Generated<boolean>;
    server: string;
    /** A bigint, so a string; as is `beat`. */
    epoch: string;
    beat: Generated<string>;
    /** When it last grew. */
    beatAt: Generated<Date>;
    /** Attempts begun until then are older than the clock says. */
    doubtedUntil: Nullable<Date>;
    /** When the worker last ticked, whatever it found; null until it has run once. */
    tickedAt: Nullable<Date>;
  };
  publishingPause: {
    id: Generated<boolean>;
    /** LinkedIn's daily limit of the whole app. */
    pausedUntil: Nullable<Date>;
    reason: Nullable<string>;
    /** The stop of an admin. */
    stoppedAt: Nullable<Date>;
    /** Also when the last stop ended. */
    stoppedUntil: Nullable<Date>;
    stopReason: Nullable<string>;
  };
  /** One row: what is out of everybody together, and all there is, as it was counted last. */
  publishedTotals: {
    isOnly: Generated<boolean>;
    posts: number;
    authors: number;
    written: Nullable<number>;
    countedAt: Date;
  };
  /** What went out and failed on a day, YYYY-MM-DD in UTC; lateness is null when nothing of it is known. */
  publishingDays: {
    day: string;
    published: number;
    failed: number;
    /** Bigints, so strings. */
    lateP50Ms: Nullable<string>;
    lateP99Ms: Nullable<string>;
    countedAt: Date;
  };
};
