import type { FactKind } from '#app/db/tables.ts';
import {
  ANGLE_NEEDS,
  ANGLES,
  type Angle,
  ENDINGS,
  type Ending,
  LENGTHS,
  type Length,
  LIMIT_PLACES,
  type LimitPlace,
  OPENING_NEEDS,
  OPENINGS_WITH_DETAIL,
  type Opening,
} from './brief-kinds.ts';

const FACTS_PER_POST = 3;
/** At most 3 of 10 posts have the same kind of opening or ending, so at most 2 of the other 9. */
const NEIGHBOURS = 9;
const SAME_KIND_MAX = 2;

export type UserFact = { id: string; kind: FactKind; content: string };

/** The decisions about a post before the writer is called. Stored with the post and shown beside it. */
export type Brief = {
  topic: string;
  angle: Angle;
  opening: Opening;
  ending: Ending;
  limit: LimitPlace;
  length: Length;
  reader: string;
  author: string;
  language: string;
  tone: string;
  hasEmoji: boolean;
  instruction: string | null;
  facts: UserFact[];
};

export type BriefKinds = Pick<Brief, 'angle' | 'opening' | 'ending' | 'limit' | 'length'>;

type Frame = Pick<Brief, 'topic' | 'reader' | 'author' | 'language' | 'tone' | 'hasEmoji'>;

/**
 * Decides the brief of a post. The kind that was used least often and longest ago comes next; an opening or ending comes
 * neither twice in a row nor in more than 3 of 10 posts. Angles and openings that need a fact are left out without one.
 * `facts` are in the order of their turns. Ties depend on the author and topic, so that the first posts of all authors
 * are not alike.
 */
export function decideBrief(frame: Frame, facts: UserFact[], others: KindsAround): Brief {
  const kinds = new Set(facts.map(({ kind }) => kind));
  const offset = hashOf(frame);
  const { angle, opening } = chooseStart(kinds, others, offset);
  const endings = ENDINGS.filter((ending) => ending !== 'detail' || OPENINGS_WITH_DETAIL.includes(opening));
  const ending = leastUsed(rotate(endings, offset), kindsAround(others, 'ending'));
  const limit =
    ending === 'limit' ? 'ending' : leastUsed(rotate(LIMIT_PLACES, offset), kindsAround(others, 'limit'));
  return {
    ...frame,
    angle,
    opening,
    ending,
    limit,
    length: leastUsed(rotate(LENGTHS, offset), kindsAround(others, 'length')),
    instruction: null,
    facts: chooseFacts(facts, angle, opening),
  };
}

const hashOf = ({ author, reader, topic }: Frame): number =>
  [...author, ...reader, ...topic].reduce((sum, char) => (sum * 31 + char.codePointAt(0)!) % 1_000_003, 7);

function rotate<T>(kinds: T[], offset: number): T[] {
  const at = offset % kinds.length;
  return [...kinds.slice(at), ...kinds.slice(0, at)];
}

/** The kinds of earlier posts, latest first, and for a rewrite those of later posts, next first. */
export type KindsAround = Around<BriefKinds>;

const kindsAround = <K extends keyof BriefKinds>(
  { before, after }: KindsAround,
  kind: K,
): Around<BriefKinds[K]> => ({
  before: before.map((each) => each[kind]),
  after: after.map((each) => each[kind]),
});

const isSupplied = (needs: FactKind[] | undefined, kinds: Set<FactKind>): boolean =>
  !needs || needs.some((kind) => kinds.has(kind));

type Around<T> = { before: T[]; after: T[] };

/** Whether a neighbour has the same kind, or this would be the fourth of ten posts with it. */
function isOverused<T>(kind: T, { before, after }: Around<T>): boolean {
  if (before[0] === kind || after[0] === kind) return true;
  for (let later = 0; later <= NEIGHBOURS; later += 1) {
    const neighbours = [...before.slice(0, NEIGHBOURS - later), ...after.slice(0, later)];
    if (neighbours.filter((each) => each === kind).length > SAME_KIND_MAX) return true;
  }
  return false;
}

/** A high score for overused kinds, then for those used often, then for those used lately. */
function usageScore<T>(kind: T, around: Around<T>): number {
  const { before, after } = around;
  const recent = [...before.slice(0, NEIGHBOURS), ...after.slice(0, NEIGHBOURS)];
  const count = recent.filter((each) => each === kind).length;
  const at = before.indexOf(kind);
  return (isOverused(kind, around) ? 10_000 : 0) + count * 100 + (at === -1 ? 0 : 50 - Math.min(at, 49));
}

function leastUsed<T>(kinds: T[], around: Around<T>): T {
  return kinds.reduce((best, kind) => (usageScore(kind, around) < usageScore(best, around) ? kind : best));
}

/** Chooses the angle and the opening together, because each angle allows only some openings. */
function chooseStart(
  kinds: Set<FactKind>,
  others: KindsAround,
  offset: number,
): { angle: Angle; opening: Opening } {
  const [angles, openings] = [kindsAround(others, 'angle'), kindsAround(others, 'opening')];
  const pairs = (Object.keys(ANGLES) as Angle[])
    .filter((angle) => isSupplied(ANGLE_NEEDS[angle], kinds))
    .flatMap((angle) =>
      ANGLES[angle]
        .filter((opening) => isSupplied(OPENING_NEEDS[opening], kinds))
        .map((opening) => ({ angle, opening })),
    );
  const score = ({ angle, opening }: { angle: Angle; opening: Opening }) =>
    usageScore(angle, angles) + usageScore(opening, openings) * 1.5;
  return rotate(pairs, offset).reduce((best, pair) => (score(pair) < score(best) ? pair : best));
}

/** The facts that the angle and the opening need come first, then those with the oldest turns. */
function chooseFacts(facts: UserFact[], angle: Angle, opening: Opening): UserFact[] {
  const needed = [ANGLE_NEEDS[angle], OPENING_NEEDS[opening]].map((kinds) =>
    facts.find(({ kind }) => kinds?.includes(kind)),
  );
  const first = needed.filter((fact) => fact !== undefined);
  return [...new Set([...first, ...facts])].slice(0, FACTS_PER_POST);
}
