import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

export type FactKind = 'project' | 'number' | 'opinion' | 'lesson' | 'question';
type Texts = Generated<string[]>;

export type VoiceTables = {
  voices: {
    userId: string;
    audience: Generated<string>;
    language: Generated<string>;
    wordsToUse: Texts;
    wordsToAvoid: Texts;
    hasEmoji: Generated<boolean>;
    interviewedAt: Nullable<Date>;
  };
  voiceExamples: { id: Generated<string>; userId: string; content: string; createdAt: CreatedAt };
  facts: {
    id: Generated<string>;
    userId: string;
    /** Null for all topics. */
    topicId: Nullable<string>;
    kind: FactKind;
    content: string;
    /** When the writer last got it. */
    lastGivenAt: Nullable<Date>;
    /** The number of the onboarding question that it answers. */
    question: Nullable<number>;
    createdAt: CreatedAt;
  };
  factUses: { factId: string; postId: string };
};
