import type { Db } from '#app/db/client.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { PostView } from '#app/domain/posts/present.ts';
import type { Angle, Ending, Length, LimitPlace, Opening } from '#app/domain/writing/generate/brief-kinds.ts';
import { findBrief } from '#app/domain/writing/generate/brief-store.ts';
import { openAt } from './load.ts';

const ANGLES: Record<Angle, string> = {
  'how-to': 'Shows how one thing is done',
  opinion: 'Holds an opinion against the best argument',
  mistake: 'Tells of a mistake and what came of it',
  story: 'Tells one thing that happened',
  checklist: 'Gives a short list to work with',
  question: 'Answers a question that people ask you',
  decision: 'Weighs a choice and names its price',
};
const OPENINGS: Record<Opening, string> = {
  scene: 'Opens in the middle of a moment',
  object: 'Opens with a thing one can see',
  claim: 'Opens with the claim itself',
  question: 'Opens with a question',
  situation: 'Opens with a situation the reader knows',
  instruction: 'Opens with something to do',
  number: 'Opens with a number',
  admission: 'Opens with an admission',
};
const ENDINGS: Record<Ending, string> = {
  limit: 'ends with where it stops working',
  'next-step': 'ends with a small next step',
  question: 'ends with a question for people who know the work',
  consequence: 'ends with what changes',
  price: 'ends with what it costs',
  detail: 'ends on a detail of its beginning',
  stop: 'ends with its last point',
};
const LIMITS: Record<LimitPlace, string | null> = {
  early: 'Says early where it does not apply',
  middle: 'Says in the middle where it stops working',
  late: 'Says near the end where it stops working',
  ending: null,
};
const LENGTHS: Record<Length, string> = {
  short: 'Short: about 90 words',
  medium: 'About 150 words',
  long: 'About 200 words',
  longest: 'Long: about 250 words',
};

async function presentProvenance(db: Db, { userId }: Actor, { id, content }: PostView) {
  const stored = await findBrief(db, userId, id);
  if (!stored) return null;
  const { brief, thesis, claims, findings, score, reasons } = stored;
  const { angle, opening, ending, limit, length, reader, facts } = brief;
  const factsById = new Map(facts.map((fact) => [fact.id, fact.content]));
  const rows: [string, string | null][] = [
    ['You asked for', brief.instruction],
    ['What it argues', thesis],
    ['Kind', ANGLES[angle]],
    ['For', reader],
    ['Beginning and end', `${OPENINGS[opening]}, ${ENDINGS[ending]}`],
    ['Its limit', LIMITS[limit]],
    ['Length', LENGTHS[length]],
  ];
  return {
    rows: rows.flatMap(([label, text]) => (text ? [{ label, text }] : [])),
    facts: facts.map(({ id: factId, content: text }) => ({
      text,
      isUsed: claims.some((claim) => claim.factId === factId),
    })),
    claims: [...new Map(claims.map((claim) => [claim.text, claim])).values()].map(({ text, factId }) => ({
      text,
      fact: (factId && factsById.get(factId)) || null,
    })),
    findings,
    score,
    reasons,
    isChanged: content !== stored.content,
  };
}
export type Provenance = NonNullable<Awaited<ReturnType<typeof presentProvenance>>>;

export function loadProvenance(db: Db, actor: Actor, posts: PostView[], query: URLSearchParams) {
  const edited = posts.find((post) => openAt(post, query) === 'edit');
  return edited ? presentProvenance(db, actor, edited) : null;
}
