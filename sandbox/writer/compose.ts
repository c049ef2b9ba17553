import { type Part, type Plan, planOf } from './shapes.ts';
import type { ChosenText, Voice } from './voice.ts';
import { isSameMould, sentencesOf, wordsOf } from './words.ts';

/** Shares of the planned length. */
const LENGTH_RANGE = { least: 0.92, most: 1.12 };

export type Composed = {
  paragraphs: string[];
  /** The texts of the stock that the paragraphs consist of. */
  texts: ChosenText[];
  /** A score for missing and repeated texts; lower is better. */
  faults: number;
  closing: string;
};

/** A post with at most this many words always introduces its fact with a lead-in. */
const SHORT_WORDS = 110;

const wordCount = (texts: ChosenText[]) => texts.reduce((sum, { text }) => sum + wordsOf(text).length, 0);

/** The texts for one part of a shape; empty when the post must not have this part. */
function textsFor(voice: Voice, { role }: Part, plan: Plan): ChosenText[] {
  const markUsed = (text: ChosenText | undefined) => (text ? [voice.use(text)] : []);
  if (role === 'fact' || role === 'second') return factsFor(voice, role, plan);
  if (role === 'bridge' && !voice.used.some(({ fact }) => fact)) return [];
  if (role === 'reader' && voice.readerIn() === '') return [];
  if (role === 'unseen' && voice.nearness < 2)
    return markUsed(voice.choose(role, {}, voice.stock.frames.byRole.get(role)));
  if (role === 'points') return pointsFor(voice);
  if (role === 'problem' && voice.choose(role)?.isRepeated) return [];
  return markUsed(voice.choose(role, { thesis: voice.scene.byRole.get('thesis')?.[0] ?? '' }));
}

/** The next unused fact, sometimes after a lead-in. */
function factsFor(voice: Voice, role: string, { words, isPersonal }: Plan): ChosenText[] {
  const usedFacts = new Set(voice.used.map(({ fact }) => fact));
  const unused = voice.brief.facts.map((_, index) => index + 1).filter((each) => !usedFacts.has(each));
  const isQuestion = (each: number) => /[?？؟]\s*$/.test(voice.brief.facts[each - 1]!);
  // Questions come first in a post that answers one, and last in all others.
  const number =
    (voice.brief.angle === 'question'
      ? unused
      : unused.toSorted((a, b) => Number(isQuestion(a)) - Number(isQuestion(b))))[0] ?? 0;
  const fact = number > 0 ? voice.fact(number) : undefined;
  if (!fact || (role === 'second' && usedFacts.size === 0)) return [];
  const hasLead = role === 'second' || words <= SHORT_WORDS || (voice.memory.posts % 3 === 1 && !isPersonal);
  const lead =
    hasLead && !fact.text.includes('“') ? voice.choose(role === 'second' ? 'second' : 'lead') : undefined;
  return [...(lead && !lead.isRepeated ? [voice.use(lead)] : []), voice.use(fact)];
}

/** A heading and the points of a list. */
function pointsFor(voice: Voice): ChosenText[] {
  const head = voice.choose('head');
  const points = voice.chooseAll('point').map((point) => voice.use({ ...point, text: `– ${point.text}` }));
  return [...(head ? [voice.use(head)] : []), ...points];
}

/** The opening of the requested kind, or of another kind when none of that kind is available. */
function openWith(voice: Voice, kind: string): { opening: ChosenText | undefined; kind: string } {
  const fact = kind === 'fact' ? voice.openingFact() : undefined;
  if (fact) return { opening: fact, kind };
  const kinds = kind === 'fact' ? ['scene', 'thing', 'claim'] : [kind, 'thing', 'claim', 'situation', 'asks'];
  for (const each of kinds) {
    const opening = voice.choose(each);
    if (opening) return { opening, kind: each };
  }
  return { opening: undefined, kind };
}

type Slot = Part & { paragraph: number };

/** Adds the optional parts by rank until the post is long enough. */
function fillUp(voice: Voice, slots: Slot[], chosen: Map<Slot, ChosenText[]>, plan: Plan) {
  const ranks = [...new Set(slots.filter(({ rank }) => rank > 0).map(({ rank }) => rank))].sort(
    (a, b) => a - b,
  );
  for (const rank of ranks) {
    const total = wordCount([...chosen.values()].flat());
    if (total >= plan.words * LENGTH_RANGE.least) return;
    const usedBefore = voice.used.length;
    const added = slots
      .filter((slot) => slot.rank === rank)
      .map((slot) => [slot, textsFor(voice, slot, plan)] as const);
    const all = added.flatMap(([, texts]) => texts);
    const fits = total + wordCount(all) <= plan.words * LENGTH_RANGE.most;
    const isPair = added.length === 2 && added.some(([{ role }]) => role === 'still');
    const isComplete = !isPair || added.every(([, texts]) => texts.length > 0);
    if (fits && isComplete && !all.some(({ isRepeated }) => isRepeated))
      for (const [slot, texts] of added) chosen.set(slot, texts);
    else voice.used.splice(usedBefore);
  }
}

/** Composes a post in the shape of its brief, without the roles of `without`. */
export function compose(voice: Voice, turn: number, without: string[] = []): Composed {
  const requested = planOf(voice.brief, turn);
  const { opening, kind } = openWith(voice, requested.opening);
  const plan =
    kind === requested.opening ? requested : planOf({ ...voice.brief, opening: KIND_OF[kind] ?? '' }, turn);
  const slots: Slot[] = plan.paragraphs.flatMap((parts, paragraph) =>
    parts
      .filter(({ role }) => !without.includes(role))
      .map((part) => ({
        ...part,
        rank: plan.wantsExample && part.role === 'example' ? 0 : part.rank,
        paragraph,
      })),
  );
  const chosen = new Map<Slot, ChosenText[]>();
  let missing = 0;
  // Opening and ending are chosen first, so that no other part uses their texts.
  for (const slot of [slots[0]!, slots.at(-1)!, ...slots.slice(1, -1).filter(({ rank }) => rank === 0)]) {
    const texts = slot === slots[0] ? (opening ? [voice.use(opening)] : []) : textsFor(voice, slot, plan);
    chosen.set(slot, texts);
    if (texts.length === 0 && !['fact', 'bridge', 'problem'].includes(slot.role)) missing += 1;
  }
  fillUp(voice, slots, chosen, plan);
  nameTopic(voice, slots, chosen);
  return assemble(voice, slots, chosen, missing);
}

const KIND_OF: Record<string, string> = {
  scene: 'scene',
  thing: 'object',
  claim: 'claim',
  asks: 'question',
  situation: 'situation',
  instruction: 'instruction',
};

/** Adds a sentence with the topic when no text of the post names it. */
function nameTopic(voice: Voice, slots: Slot[], chosen: Map<Slot, ChosenText[]>) {
  if ([...chosen.values()].flat().some(({ template }) => /\{[tTk]\}/.test(template))) return;
  const about = voice.choose('about');
  const slot =
    slots.slice(1).find((each) => each.role !== 'points' && (chosen.get(each)?.length ?? 0) > 0) ?? slots[0]!;
  if (about) chosen.set(slot, [...(chosen.get(slot) ?? []), voice.use(about)]);
}

function assemble(voice: Voice, slots: Slot[], chosen: Map<Slot, ChosenText[]>, missing: number): Composed {
  const paragraphs: string[] = [];
  const all: ChosenText[] = [];
  for (const index of new Set(slots.map(({ paragraph }) => paragraph))) {
    const texts = slots
      .filter(({ paragraph }) => paragraph === index)
      .flatMap((slot) => chosen.get(slot) ?? []);
    all.push(...texts);
    const isList = texts.some(({ text }) => text.startsWith('– '));
    if (texts.length > 0) paragraphs.push(texts.map(({ text }) => text).join(isList ? '\n' : ' '));
  }
  const closing = paragraphs.at(-1) ?? '';
  const isUsedClosing = voice.memory.closings.slice(-10).some((before) => isSameMould(before, closing));
  const repeated = all.filter(({ isRepeated, text }) => isRepeated && wordsOf(text).length >= 6).length;
  return {
    paragraphs: shortenParagraphs(voice, paragraphs),
    texts: all,
    faults: missing * 3 + repeated * 2 + (isUsedClosing ? 5 : 0) + (all[0]?.isRepeated ? 8 : 0),
    closing,
  };
}

/** Splits long paragraphs when the notes about the author's voice ask for short ones. */
function shortenParagraphs({ brief: { voice } }: Voice, paragraphs: string[]): string[] {
  if (!/\b(?:short|brief|kurze?|cort[ao]s?|court[es]*)\b|छोटे/iu.test(voice)) return paragraphs;
  return paragraphs.flatMap((paragraph) => {
    const sentences = sentencesOf(paragraph);
    if (sentences.length < 4 || paragraph.includes('\n')) return [paragraph];
    const half = Math.ceil(sentences.length / 2);
    return [sentences.slice(0, half), sentences.slice(half)].map((some) =>
      some.map((each) => each.trim()).join(' '),
    );
  });
}
