import type { Draft } from '#app/domain/writing/generate/draft.ts';
import type { Reading } from './parsed-draft.ts';

/** What a draft is held against. Everything in it was known before the writer was asked. */
export type GateContext = {
  topic: { name: string; description: string; keywords: string[] };
  /** Numbered from 1 in the claims of a draft. */
  facts: string[];
  /** Everything a person typed that the prompt carried; no old posts. */
  given: string;
  language: string;
  /** First and last paragraphs of the author's last posts. */
  openings: string[];
  closings: string[];
  /** What the last posts argued, a line each. */
  theses: string[];
  /** Sequences of words that stand in too many of the last posts. */
  phrases: string[];
  /** Words that the author does not want. */
  avoided: string[];
  hasEmoji: boolean;
  /** Whether the brief asks for points, one a line. */
  isChecklist?: boolean;
  /** Lines of our instructions, which no post repeats. */
  rules?: string[];
};

/** What keeps a draft from being stored: how the writer mends it, and what its owner is told. */
export type Finding = { gate: string; forWriter: string; forUser: string };

export type Fault = Omit<Finding, 'gate'>;

/** A pure function under a name. It answers the fault that it sees, the first one when there are several. */
export type Gate = { name: string; find: (text: Reading) => Fault | undefined };

export type { Draft };
