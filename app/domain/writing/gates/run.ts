import { EXCESS_JOINERS } from '#app/domain/platform/input-schema.ts';
import { POST_MAX } from '#app/domain/posts/limits.ts';
import { CLAIM_GATES } from '#app/domain/writing/gates/facts/claims.ts';
import { EVIDENCE_GATES } from '#app/domain/writing/gates/facts/evidence.ts';
import { NAME_GATES } from '#app/domain/writing/gates/facts/names.ts';
import { LANGUAGE_GATES } from '#app/domain/writing/gates/language/language.ts';
import { FIGURE_GATES } from '#app/domain/writing/gates/numbers/figures.ts';
import { NUMBER_GATES } from '#app/domain/writing/gates/numbers/numbers.ts';
import { STOCK_GATES } from '#app/domain/writing/gates/stock/gates.ts';
import { CONTRAST_GATES } from './contrast.ts';
import type { Draft, Finding, Gate, GateContext } from './gate.ts';
import { LINK_GATES } from './links.ts';
import { MACHINE_GATES } from './machine-phrases.ts';
import { MARKUP_GATES } from './markup.ts';
import { MEMORY_GATES } from './memory.ts';
import { readingOf } from './parsed-draft.ts';
import { SHAPE_GATES } from './shape.ts';
import { TOPIC_GATES } from './topic.ts';

export type { Finding, GateContext } from './gate.ts';

/** What every text passes before it is stored. */
export const GATES: Gate[] = [
  ...SHAPE_GATES,
  ...LANGUAGE_GATES,
  ...MARKUP_GATES,
  ...MACHINE_GATES,
  ...LINK_GATES,
  ...NUMBER_GATES,
  ...NAME_GATES,
  ...CLAIM_GATES,
  ...EVIDENCE_GATES,
  ...STOCK_GATES,
  ...CONTRAST_GATES,
  ...FIGURE_GATES,
  ...TOPIC_GATES,
  ...MEMORY_GATES,
];

/** Of a text that no network takes nothing else is worth reading. */
const IS_LENGTH = ({ name }: Gate) => name === 'length';

/** Why a draft can't be stored; none when it can. */
export function gatesOf(draft: Draft, against: GateContext, gates = GATES): Finding[] {
  const reading = readingOf(draft, against);
  const asked = draft.content.length > POST_MAX ? gates.filter(IS_LENGTH) : gates;
  return asked.flatMap(({ name, find }) => {
    const fault = find(reading);
    return fault ? [{ gate: name, ...fault }] : [];
  });
}

/** What nobody means to write and nobody sees: it is taken away, not asked for again. */
const UNSEEN =
  /(?![\n\t\0])\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const seen = (text: string) => text.replace(UNSEEN, '').replace(EXCESS_JOINERS, '');
/** More than one empty line. */
const GAP = /\n(?:[ \t]*\n){2,}/g;
const NOT_IN_HASHTAG = /^\p{M}+|[^\p{L}\p{N}\p{M}]+\p{M}*/gu;

/** Hashtags as they are stored: without #, letters with their marks and digits, no repetition. */
export function tidyHashtags(hashtags: string[]): string[] {
  const seen = new Set<string>();
  return hashtags
    .map((tag) => tag.normalize('NFC').replace(NOT_IN_HASHTAG, ''))
    .filter((tag) => tag !== '' && !seen.has(tag.toLowerCase()) && seen.add(tag.toLowerCase()));
}

/** As it can be stored: no U+0000, no half of a pair of surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Sentences beside the text are kept and shown, and what was argued goes with the next prompts. */
const REMARK_MOST = 600;
const REMARKS_MOST = 40;

const tidyRemark = (said: string): string => seen(storable(said.slice(0, REMARK_MOST))).trim();

/** What the writer says about a text, as it can be kept: few short sentences of characters that are seen. */
export const tidyRemarks = (said: string[]): string[] => said.slice(0, REMARKS_MOST).map(tidyRemark);

/**
 * A draft without what can be mended unasked: line breaks, unseen characters, hashtags, remarks without end. What is wrong
 * with the text itself is left for the gates.
 */
export const tidyDraft = (draft: Draft): Draft => ({
  claims: draft.claims.slice(0, REMARKS_MOST).map(({ text, fact }) => ({ text: tidyRemark(text), fact })),
  thesis: tidyRemark(draft.thesis),
  content: seen(draft.content.replace(/\r\n?/g, '\n')).replace(GAP, '\n\n').trim(),
  hashtags: tidyHashtags(draft.hashtags),
});
