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
import { parseDraft } from './parsed-draft.ts';
import { SHAPE_GATES } from './shape.ts';
import { TOPIC_GATES } from './topic.ts';

export type { Finding, GateContext } from './gate.ts';

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

/** Returns the findings of the gates. A draft that is too long for LinkedIn has only that one. */
export function runGates(draft: Draft, context: GateContext, gates = GATES): Finding[] {
  const parsed = parseDraft(draft, context);
  const applicable = draft.content.length > POST_MAX ? gates.filter(({ name }) => name === 'length') : gates;
  return applicable.flatMap(({ name, find }) => {
    const fault = find(parsed);
    return fault ? [{ gate: name, ...fault }] : [];
  });
}

/** Invisible characters, which are removed without a new attempt. */
const INVISIBLE =
  /(?![\n\t\0])\p{Cc}|[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
const withoutInvisible = (text: string) => text.replace(INVISIBLE, '').replace(EXCESS_JOINERS, '');
const GAP = /\n(?:[ \t]*\n){2,}/g;
const NOT_IN_HASHTAG = /^\p{M}+|[^\p{L}\p{N}\p{M}]+\p{M}*/gu;

/** Returns hashtags without #, of letters with their marks and digits, without repetitions. */
export function tidyHashtags(hashtags: string[]): string[] {
  const seen = new Set<string>();
  return hashtags
    .map((tag) => tag.normalize('NFC').replace(NOT_IN_HASHTAG, ''))
    .filter((tag) => tag !== '' && !seen.has(tag.toLowerCase()) && seen.add(tag.toLowerCase()));
}

/** Removes what Postgres can't store: U+0000 and lone surrogates. */
export const storable = (text: string): string => text.replaceAll('\0', '').toWellFormed();

/** Limits for the sentences beside a text, which are stored and shown, and in part used in the next prompts. */
const REMARK_LENGTH_MAX = 600;
const REMARKS_MAX = 40;

const tidyRemark = (remark: string): string =>
  withoutInvisible(storable(remark.slice(0, REMARK_LENGTH_MAX))).trim();

export const tidyRemarks = (remarks: string[]): string[] => remarks.slice(0, REMARKS_MAX).map(tidyRemark);

/** Corrects what needs no new attempt: line breaks, invisible characters, hashtags, long remarks. */
export const tidyDraft = (draft: Draft): Draft => ({
  claims: draft.claims.slice(0, REMARKS_MAX).map(({ text, fact }) => ({ text: tidyRemark(text), fact })),
  thesis: tidyRemark(draft.thesis),
  content: withoutInvisible(draft.content.replace(/\r\n?/g, '\n')).replace(GAP, '\n\n').trim(),
  hashtags: tidyHashtags(draft.hashtags),
});
