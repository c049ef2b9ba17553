import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type FeedbackType = 'general' | 'feature_request' | 'improvement' | 'bug' | 'compliment';
type FeedbackStatus = 'new' | 'reviewed' | 'planned' | 'in_progress' | 'completed' | 'declined';

export type FeedbackTables = {
  feedback: {
    id: Generated<string>;
    userId: string;
    type: FeedbackType;
    title: string;
    description: string;
    rating: Nullable<number>;
    status: Generated<FeedbackStatus>;
    /** Maintained by a trigger. */
    upvotes: Generated<number>;
    createdAt: CreatedAt;
  };
  feedbackVotes: { feedbackId: string; userId: string; createdAt: CreatedAt };
};
