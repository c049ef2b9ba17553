import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

export type FactKind = 'project' | 'number' | 'opinion' | 'lesson' | 'question';
type Texts = ColumnType<string[], string[] | undefined, string[]>;

/** What users have to say, and how they sound. */
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
    /** Null when it is good for every topic. */
    topicId: Nullable<string>;
    kind: FactKind;
    content: string;
    /** When the writer was given it last. */
    lastGivenAt: Nullable<Date>;
    /** Which question to new users it answers, counted from 1. */
    question: Nullable<number>;
    createdAt: CreatedAt;
  };
  factUses: { factId: string; postId: string };
};
