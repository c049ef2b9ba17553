import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type TopicApproval = 'settings' | 'approve' | 'publish';

export type TopicTables = {
  topics: {
    id: Generated<string>;
    userId: string;
    name: string;
    description: Generated<string>;
    keywords: ColumnType<string[], string[] | undefined, string[]>;
    tone: Generated<string>;
    /** Whether its posts wait for approval: as the settings say, always, or never. */
    approval: ColumnType<TopicApproval, TopicApproval | undefined, TopicApproval>;
    /** When its owner said whether its posts go out without asking, which they are offered once. */
    autoPublishAnsweredAt: Nullable<Date>;
    isActive: Generated<boolean>;
    /** When a post about it was written. */
    lastUsedAt: Nullable<Date>;
    /** When it had its turn, whatever became of it. */
    lastTurnAt: Nullable<Date>;
    /** In a row, and why the last one: a sentence without its full stop. */
    failures: Generated<number>;
    failure: Generated<string>;
    /** It has no turns since then, until an instant, or until its owner resumes it. */
    pausedAt: Nullable<Date>;
    pausedUntil: Nullable<Date>;
    createdAt: CreatedAt;
  };
};
