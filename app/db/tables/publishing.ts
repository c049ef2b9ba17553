import type { Generated } from 'kysely';
import type { Nullable } from './accounts.ts';

export type PublishingTables = {
  publishingEpoch: {
    id: Generated<boolean>;
    server: string;
    /** A bigint, as is `beat`. */
    epoch: string;
    beat: Generated<string>;
    /** When `beat` last grew. */
    beatAt: Generated<Date>;
    /** Start times of attempts until then may be wrong, because the clock was. */
    doubtedUntil: Nullable<Date>;
    /** The worker's last tick, even without due posts; null before the first. */
    tickedAt: Nullable<Date>;
  };
  publishingPause: {
    id: Generated<boolean>;
    /** Pause because of LinkedIn's daily limit for the application. */
    pausedUntil: Nullable<Date>;
    reason: Nullable<string>;
    /** Pause by an admin. */
    stoppedAt: Nullable<Date>;
    /** For a past pause, when it ended. */
    stoppedUntil: Nullable<Date>;
    stopReason: Nullable<string>;
  };
  /** A single row: the latest counts of all posts. */
  publishedTotals: {
    isOnly: Generated<boolean>;
    posts: number;
    authors: number;
    written: Nullable<number>;
    countedAt: Date;
  };
  /** By day, YYYY-MM-DD in UTC. Lateness is null when unknown. */
  publishingDays: {
    day: string;
    published: number;
    failed: number;
    /** Bigints. */
    lateP50Ms: Nullable<string>;
    lateP99Ms: Nullable<string>;
    countedAt: Date;
  };
};
