import type { Draft } from '#app/domain/writing/generate/draft.ts';
import type { ParsedDraft } from './parsed-draft.ts';

/** What the gates compare a draft with. It is known before the writer is called. */
export type GateContext = {
  topic: { name: string; description: string; keywords: string[] };
  facts: string[];
  /** The user's input in the prompt, without earlier posts. */
  userInput: string;
  language: string;
  /** First and last paragraphs of the author's last posts. */
  openings: string[];
  closings: string[];
  /** What the last posts argued, one sentence each. */
  theses: string[];
  /** Sequences of words that several of the last posts have. */
  phrases: string[];
  avoided: string[];
  hasEmoji: boolean;
  /** The brief asks for a list with one point on each line. */
  isChecklist?: boolean;
  /** Lines of our instructions, which a post must not repeat. */
  rules?: string[];
};

/** Why a draft is rejected: a sentence for the writer that says how to correct it, and one for the user. */
export type Finding = { gate: string; forWriter: string; forUser: string };

export type Fault = Omit<Finding, 'gate'>;

/** A pure function that returns the first fault that it finds. */
export type Gate = { name: string; find: (text: ParsedDraft) => Fault | undefined };

export type { Draft };
