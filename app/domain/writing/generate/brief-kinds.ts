import type { FactKind } from '#app/db/tables.ts';

export type Angle = 'how-to' | 'opinion' | 'mistake' | 'story' | 'checklist' | 'question' | 'decision';
export type Opening =
  | 'scene'
  | 'object'
  | 'claim'
  | 'question'
  | 'situation'
  | 'instruction'
  | 'number'
  | 'admission';
export type Ending = 'limit' | 'next-step' | 'question' | 'consequence' | 'price' | 'detail' | 'stop';
/** Where the post says when its advice does not work; `ending` when it ends with that. */
export type LimitPlace = 'early' | 'middle' | 'late' | 'ending';
export type Length = 'short' | 'medium' | 'long' | 'longest';

export const ANGLES: Record<Angle, Opening[]> = {
  'how-to': ['object', 'claim', 'situation', 'instruction', 'question', 'number'],
  opinion: ['claim', 'situation', 'object', 'question', 'number'],
  mistake: ['admission', 'scene', 'object', 'situation'],
  story: ['scene', 'object', 'number'],
  checklist: ['instruction', 'object', 'situation', 'claim'],
  question: ['question', 'situation', 'claim'],
  decision: ['claim', 'situation', 'object', 'question', 'scene'],
};

/** The angle needs a fact of one of these kinds, or the writer would invent one. */
export const ANGLE_NEEDS: Partial<Record<Angle, FactKind[]>> = {
  mistake: ['lesson'],
  story: ['project', 'lesson'],
  question: ['question'],
};
export const OPENING_NEEDS: Partial<Record<Opening, FactKind[]>> = {
  scene: ['project', 'lesson'],
  number: ['number'],
  admission: ['lesson'],
};

export const ENDINGS: Ending[] = ['limit', 'next-step', 'question', 'consequence', 'price', 'detail', 'stop'];
/** Only these openings name a detail that the ending can return to. */
export const OPENINGS_WITH_DETAIL: Opening[] = ['scene', 'object'];
export const LIMIT_PLACES: LimitPlace[] = ['early', 'middle', 'late'];
export const LENGTHS: Length[] = ['medium', 'short', 'long', 'longest'];
