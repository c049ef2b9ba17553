import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type TopicApproval = 'settings' | 'approve' | 'publish';

export type TopicTables = {
  topics: {
    id: Generated<string>;
    userId: string;
    name: string;
    description: Generated<string>;
    keywords: Generated<string[]>;
    tone: Generated<string>;
    /** Whether its posts need approval: as in the settings, always, or never. */
    approval: Generated<TopicApproval>;
    /** When the user answered the offer to publish its posts without approval, which is made once. */
    autoPublishAnsweredAt: Nullable<Date>;
    isActive: Generated<boolean>;
    /** When a post about it was last written. */
    lastUsedAt: Nullable<Date>;
    /** When it was last selected, whatever the outcome. */
    lastTurnAt: Nullable<Date>;
    /** The number of consecutive failures, and the reason of the last one. */
    failures: Generated<number>;
    failure: Generated<string>;
    /** It is not selected until an instant, or until the user resumes it. */
    pausedAt: Nullable<Date>;
    pausedUntil: Nullable<Date>;
    createdAt: CreatedAt;
  };
};
