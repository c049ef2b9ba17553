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

const FACTS_GIVEN = 3;
/** A kind of opening or ending stands in at most 3 of 10 posts, so in at most 2 of the 9 before one that gets it. */
const LOOKED_BACK = 9;
const MOST_OF_A_KIND = 2;

export type UserFact = { id: string; kind: FactKind; content: string };

/** What is decided about a post before the writer is asked; stored with the post, and shown beside it. */
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
  /** What the author asked for when it was written again. */
  instruction: string | null;
  facts: UserFact[];
};

/** How another post of the author was made. */
export type MadeKinds = Pick<Brief, 'angle' | 'opening' | 'ending' | 'limit' | 'length'>;

type Frame = Pick<Brief, 'topic' | 'reader' | 'author' | 'language' | 'tone' | 'hasEmoji'>;

/**
 * Decides how a post is made: what came least often and longest ago comes next, and no kind of opening or ending comes
 * twice in a row or in more than 3 of 10 posts. `facts` are in the order of their turns; angles and openings that need
 * one that is not there are left out. Where several come next, which one does goes by who writes about what: else the
 * first posts of all authors would be made alike.
 */
export function decideBrief(frame: Frame, facts: UserFact[], made: MadeAround): Brief {
  const kinds = new Set(facts.map(({ kind }) => kind));
  const from = numberOf(frame);
  const { angle, opening } = chooseStart(kinds, made, from);
  const endings = ENDINGS.filter((ending) => ending !== 'detail' || OPENINGS_WITH_DETAIL.includes(opening));
  const ending = leastUsed(beginningAt(from, endings), around(made, 'ending'));
  const places = beginningAt(from, LIMIT_PLACES);
  const limit = ending === 'limit' ? 'ending' : leastUsed(places, around(made, 'limit'));
  return {
    ...frame,
    angle,
    opening,
    ending,
    limit,
    length: leastUsed(beginningAt(from, LENGTHS), around(made, 'length')),
    instruction: null,
    facts: chooseFacts(facts, angle, opening),
  };
}

/** The same for the same author and topic, any other for others. */
const numberOf = ({ author, reader, topic }: Frame): number =>
  [...author, ...reader, ...topic].reduce((sum, char) => (sum * 31 + char.codePointAt(0)!) % 1_000_003, 7);

function beginningAt<T>(from: number, kinds: T[]): T[] {
  const at = from % kinds.length;
  return [...kinds.slice(at), ...kinds.slice(0, at)];
}

/** Earlier posts, the latest first, and of a post that is written again the later ones, the next first. */
export type MadeAround = Around<MadeKinds>;

const around = <K extends keyof MadeKinds>({ before, after }: MadeAround, kind: K): Around<MadeKinds[K]> => ({
  before: before.map((each) => each[kind]),
  after: after.map((each) => each[kind]),
});

const isSupplied = (needs: FactKind[] | undefined, kinds: Set<FactKind>): boolean =>
  !needs || needs.some((kind) => kinds.has(kind));

/** Of one kind what the posts around one have: those before it, the latest first, and those after it, the next first. */
type Around<T> = { before: T[]; after: T[] };

/** Stands it beside its like, or would it be the fourth of ten in a row? */
function isTooMuch<T>(kind: T, { before, after }: Around<T>): boolean {
  if (before[0] === kind || after[0] === kind) return true;
  for (let later = 0; later <= LOOKED_BACK; later += 1) {
    const beside = [...before.slice(0, LOOKED_BACK - later), ...after.slice(0, later)];
    if (beside.filter((each) => each === kind).length > MOST_OF_A_KIND) return true;
  }
  return false;
}

/** How near a kind is to being worn: refused kinds last, then those that were used often, then lately. */
function wear<T>(kind: T, around: Around<T>): number {
  const { before, after } = around;
  const recent = [...before.slice(0, LOOKED_BACK), ...after.slice(0, LOOKED_BACK)];
  const count = recent.filter((each) => each === kind).length;
  const at = before.indexOf(kind);
  return (isTooMuch(kind, around) ? 10_000 : 0) + count * 100 + (at === -1 ? 0 : 50 - Math.min(at, 49));
}

function leastUsed<T>(kinds: T[], around: Around<T>): T {
  return kinds.reduce((best, kind) => (wear(kind, around) < wear(best, around) ? kind : best));
}

/** The angle and the opening together, because each angle can open in a few ways only. */
function chooseStart(
  kinds: Set<FactKind>,
  made: MadeAround,
  from: number,
): { angle: Angle; opening: Opening } {
  const [angles, openings] = [around(made, 'angle'), around(made, 'opening')];
  const pairs = (Object.keys(ANGLES) as Angle[])
    .filter((angle) => isSupplied(ANGLE_NEEDS[angle], kinds))
    .flatMap((angle) =>
      ANGLES[angle]
        .filter((opening) => isSupplied(OPENING_NEEDS[opening], kinds))
        .map((opening) => ({ angle, opening })),
    );
  const weigh = ({ angle, opening }: { angle: Angle; opening: Opening }) =>
    wear(angle, angles) + wear(opening, openings) * 1.5;
  return beginningAt(from, pairs).reduce((best, pair) => (weigh(pair) < weigh(best) ? pair : best));
}

/** First what the angle and the opening need, then what waited longest. */
function chooseFacts(facts: UserFact[], angle: Angle, opening: Opening): UserFact[] {
  const needed = [ANGLE_NEEDS[angle], OPENING_NEEDS[opening]].map((kinds) =>
    facts.find(({ kind }) => kinds?.includes(kind)),
  );
  const first = needed.filter((fact) => fact !== undefined);
  return [...new Set([...first, ...facts])].slice(0, FACTS_GIVEN);
}
