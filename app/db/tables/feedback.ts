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
    /** Kept by a trigger of its votes. */
    upvotes: Generated<number>;
    createdAt: CreatedAt;
  };
  feedbackVotes: { feedbackId: string; userId: string; createdAt: CreatedAt };
  /** What calls that may come again were answered, by their keys. */
};
