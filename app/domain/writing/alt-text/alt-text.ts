import { z } from 'zod';
import { foreignLanguage } from '#app/domain/writing/gates/language/detect.ts';
import { wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import { LINK_GATES } from '#app/domain/writing/gates/links.ts';
import { MACHINE_GATES } from '#app/domain/writing/gates/machine-phrases.ts';
import { MARKUP_GATES } from '#app/domain/writing/gates/markup.ts';
import { type GateContext, runGates, storable, tidyDraft } from '#app/domain/writing/gates/run.ts';
import { instructionLines } from '#app/domain/writing/generate/load-prompts.ts';
import { SUGGESTED_MAX } from '#app/domain/writing/limits.ts';

export const AltTextOutput = z.object({
  description: z
    .string()
    .nullable()
    .describe('One sentence of alt text; null when there is no picture that you can see'),
});
export type AltTextOutput = z.output<typeof AltTextOutput>;

const OF_A_PICTURE =
  /^(?:this is |here is )?(?:an?|the|this)?\s*(?:image|picture|photo|photograph)\s+(?:of|showing|shows)\s+/i;
const OF_A_PICTURE_ELSEWHERE =
  /^(?:(?:auf dem|en la|sur (?:la|l['’])|nell['’]|op de|na)\s*(?:bild|foto|imagen|image|photo|immagine|afbeelding|imagem)|(?:(?:ein|eine|das|dieses|una?|la|el|esta|une|cette|l['’]|il|questa|een|de|deze|uma?|a)\s*)?(?:bild|foto|fotografie|imagen|fotografía|image|photo|photographie|immagine|fotografia|afbeelding|imagem)\s+(?:von|vom|eine[rs]?|des|der|zeigt|mit|de|du|d['’]|del|di|della|dei|muestra|montre|mostra|van|met|toont|com|con|avec)|(?:तस्वीर|चित्र|फ़ोटो) में)(?![\p{L}\p{M}])/iu;
const QUOTES = /^["“„«»'‘]+|["”“»«'’]+$/g;
const QUOTED = /^["“„«»'‘][^"”“»«]*["”“»«'’]$/;
const TAG = /<[a-z!/][^>]*>/i;
const NO_IMAGE =
  /\b(?:I|we) (?:can(?:not|['’]t)|do(?: not|n['’]t)|am unable to|['’]m unable to) (?:\w+ )?(?:see|view|look|have access)|\bno (?:image|picture|photo) (?:was|has been|is|provided|attached|available)/i;

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** Returns a description on one line, without quotation marks and without "a picture of". */
export function tidyAltText(description: string): string {
  const draft = { content: storable(description), hashtags: [], thesis: '', claims: [] };
  const line = tidyDraft(draft).content.replace(/\s+/g, ' ');
  const bare = QUOTED.test(line) ? line.replace(QUOTES, '').trim() : line;
  return capital(bare.replace(OF_A_PICTURE, ''));
}

/** The writer says that it sees no image. */
export const saysNoImage = (description: string): boolean => NO_IMAGE.test(description);

/** Returns the language of a text when its function words are clear: one that is not English, or one that is not Hindi. */
export function languageOf(text: string): string | undefined {
  const words = wordsOf(text);
  return foreignLanguage(words, 'en') ?? foreignLanguage(words, 'hi');
}

const contextOf = (post: string): GateContext => ({
  topic: { name: '', description: '', keywords: [] },
  facts: [],
  userInput: post,
  rules: instructionLines,
  language: languageOf(post) ?? '',
  hasEmoji: true,
  openings: [],
  closings: [],
  theses: [],
  phrases: [],
  avoided: [],
});

const GATES = [...MARKUP_GATES, ...MACHINE_GATES, ...LINK_GATES];

export function findAltTextFaults(description: string, post: string): string[] {
  if (description.length > SUGGESTED_MAX) {
    return [`It has more than ${SUGGESTED_MAX} characters; say it in one sentence.`];
  }
  const draft = { content: description, hashtags: [], thesis: '', claims: [] };
  const context = contextOf(post);
  const own = [
    !/\p{L}/u.test(description) && 'It says nothing.',
    OF_A_PICTURE_ELSEWHERE.test(description) && 'It says that it is a picture; begin with the thing itself.',
    TAG.test(description) && 'It has HTML; use plain text.',
    foreignLanguage(wordsOf(description), context.language) && 'It is not in the language that is named.',
  ];
  return [
    ...own.filter((fault) => typeof fault === 'string'),
    ...runGates(draft, context, GATES).map(({ forWriter }) => forWriter),
  ];
}
