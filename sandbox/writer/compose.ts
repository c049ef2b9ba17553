import { type Part, type Plan, planOf } from './shapes.ts';
import type { Said, Voice } from './voice.ts';
import { isSameMould, sentencesOf, wordsOf } from './words.ts';

const ROOM = { least: 0.92, most: 1.12 };

export type Composed = {
  /** The paragraphs of the post, and what of the stock stands in them. */
  paragraphs: string[];
  said: Said[];
  /** What is missing or stood in one of the last posts: the less the better. */
  faults: number;
  closing: string;
};

/** A short post has no room to lead from a fact to its scene. */
const SHORT = 110;

const length = (said: Said[]) => said.reduce((sum, { text }) => sum + wordsOf(text).length, 0);

/** The texts for one part of a shape; none when it has to stay away. */
function textsFor(voice: Voice, { role }: Part, plan: Plan): Said[] {
  const taken = (said: Said | undefined) => (said ? [voice.take(said)] : []);
  if (role === 'fact' || role === 'second') return factsFor(voice, role, plan);
  if (role === 'bridge' && !voice.taken.some(({ fact }) => fact)) return [];
  if (role === 'reader' && voice.readerIn() === '') return [];
  if (role === 'unseen' && voice.nearness < 2)
    return taken(voice.say(role, {}, voice.stock.frames.of.get(role)));
  if (role === 'points') return pointsFor(voice);
  if (role === 'problem' && voice.say(role)?.isRepeated) return [];
  return taken(voice.say(role, { thesis: voice.scene.of.get('thesis')?.[0] ?? '' }));
}

/** The fact that has not been told yet, after a few words that lead to it now and then. */
function factsFor(voice: Voice, role: string, { words, isPersonal }: Plan): Said[] {
  const told = new Set(voice.taken.map(({ fact }) => fact));
  const open = voice.brief.facts.map((_, at) => at + 1).filter((each) => !told.has(each));
  const isAsked = (each: number) => /[?？؟]\s*$/.test(voice.brief.facts[each - 1]!);
  // What people ask stands first where the post answers it, and last everywhere else.
  const number =
    (voice.brief.angle === 'question'
      ? open
      : open.toSorted((a, b) => Number(isAsked(a)) - Number(isAsked(b))))[0] ?? 0;
  const fact = number > 0 ? voice.fact(number) : undefined;
  if (!fact || (role === 'second' && told.size === 0)) return [];
  const lead = role === 'second' || words <= SHORT || (voice.memory.posts % 3 === 1 && !isPersonal);
  const before =
    lead && !fact.text.includes('“') ? voice.say(role === 'second' ? 'second' : 'lead') : undefined;
  return [...(before && !before.isRepeated ? [voice.take(before)] : []), voice.take(fact)];
}

/** A line that says what the points are for, and the points. */
function pointsFor(voice: Voice): Said[] {
  const head = voice.say('head');
  const points = voice.sayAll('point').map((point) => voice.take({ ...point, text: `– ${point.text}` }));
  return [...(head ? [voice.take(head)] : []), ...points];
}

/** The opening that was asked for; another kind when that one is used up. */
function openWith(voice: Voice, kind: string): { said: Said | undefined; kind: string } {
  const fact = kind === 'fact' ? voice.openingFact() : undefined;
  if (fact) return { said: fact, kind };
  const kinds = kind === 'fact' ? ['scene', 'thing', 'claim'] : [kind, 'thing', 'claim', 'situation', 'asks'];
  for (const each of kinds) {
    const said = voice.say(each);
    if (said) return { said, kind: each };
  }
  return { said: undefined, kind };
}

type Slot = Part & { paragraph: number };

/** Adds what is optional in its order, as long as there is room for it. */
function fillUp(voice: Voice, slots: Slot[], chosen: Map<Slot, Said[]>, plan: Plan) {
  const ranks = [...new Set(slots.filter(({ when }) => when > 0).map(({ when }) => when))].sort(
    (a, b) => a - b,
  );
  for (const rank of ranks) {
    const total = length([...chosen.values()].flat());
    if (total >= plan.words * ROOM.least) return;
    const before = voice.taken.length;
    const added = slots
      .filter(({ when }) => when === rank)
      .map((slot) => [slot, textsFor(voice, slot, plan)] as const);
    const all = added.flatMap(([, said]) => said);
    const fits = total + length(all) <= plan.words * ROOM.most;
    const isPair = added.length === 2 && added.some(([{ role }]) => role === 'still');
    const isWhole = !isPair || added.every(([, said]) => said.length > 0);
    if (fits && isWhole && !all.some(({ isRepeated }) => isRepeated))
      for (const [slot, said] of added) chosen.set(slot, said);
    else voice.taken.splice(before);
  }
}

/** The texts of a post, in the shape that its brief asks for. */
export function compose(voice: Voice, turn: number, without: string[] = []): Composed {
  const asked = planOf(voice.brief, turn);
  const { said: opening, kind } = openWith(voice, asked.opening);
  const plan =
    kind === asked.opening ? asked : planOf({ ...voice.brief, opening: KIND_OF[kind] ?? '' }, turn);
  const slots: Slot[] = plan.paragraphs.flatMap((parts, paragraph) =>
    parts
      .filter(({ role }) => !without.includes(role))
      .map((part) => ({
        ...part,
        when: plan.wantsExample && part.role === 'example' ? 0 : part.when,
        paragraph,
      })),
  );
  const chosen = new Map<Slot, Said[]>();
  let missing = 0;
  // What a post ends with is chosen first, so that nothing in between takes it away.
  for (const slot of [slots[0]!, slots.at(-1)!, ...slots.slice(1, -1).filter(({ when }) => when === 0)]) {
    const said = slot === slots[0] ? (opening ? [voice.take(opening)] : []) : textsFor(voice, slot, plan);
    chosen.set(slot, said);
    if (said.length === 0 && !['fact', 'bridge', 'problem'].includes(slot.role)) missing += 1;
  }
  fillUp(voice, slots, chosen, plan);
  nameTopic(voice, slots, chosen);
  return put(voice, slots, chosen, missing);
}

const KIND_OF: Record<string, string> = {
  scene: 'scene',
  thing: 'object',
  claim: 'claim',
  asks: 'question',
  situation: 'situation',
  instruction: 'instruction',
};

/** A post that has not named its topic yet does so after the opening. */
function nameTopic(voice: Voice, slots: Slot[], chosen: Map<Slot, Said[]>) {
  if ([...chosen.values()].flat().some(({ template }) => /\{[tTk]\}/.test(template))) return;
  const said = voice.say('about');
  const slot =
    slots.slice(1).find((each) => each.role !== 'points' && (chosen.get(each)?.length ?? 0) > 0) ?? slots[0]!;
  if (said) chosen.set(slot, [...(chosen.get(slot) ?? []), voice.take(said)]);
}

function put(voice: Voice, slots: Slot[], chosen: Map<Slot, Said[]>, missing: number): Composed {
  const paragraphs: string[] = [];
  const all: Said[] = [];
  for (const at of new Set(slots.map(({ paragraph }) => paragraph))) {
    const said = slots.filter(({ paragraph }) => paragraph === at).flatMap((slot) => chosen.get(slot) ?? []);
    all.push(...said);
    const isList = said.some(({ text }) => text.startsWith('– '));
    if (said.length > 0) paragraphs.push(said.map(({ text }) => text).join(isList ? '\n' : ' '));
  }
  const closing = paragraphs.at(-1) ?? '';
  const isWornEnd = voice.memory.closings.slice(-10).some((before) => isSameMould(before, closing));
  const repeated = all.filter(({ isRepeated, text }) => isRepeated && wordsOf(text).length >= 6).length;
  return {
    paragraphs: shortened(voice, paragraphs),
    said: all,
    faults: missing * 3 + repeated * 2 + (isWornEnd ? 5 : 0) + (all[0]?.isRepeated ? 8 : 0),
    closing,
  };
}

/** An author who likes it short gets short paragraphs. */
function shortened({ brief: { voice } }: Voice, paragraphs: string[]): string[] {
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
