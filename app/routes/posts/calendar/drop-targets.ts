import type { PostVerb } from '#app/routes/actions.ts';

/** Where a post of the calendar can be put: its open slots, and those of posts that can be swapped. */
const PLACES = '#calendar [data-slot]';
/** The posts that can be moved. */
const POSTS = '#calendar .cal-entry:has(> .cal-move)';
const GRABBED = 'is-grabbed';
const TARGET = 'is-target';

/** What a post that was put somewhere asks for. */
export type Move = { postId: string; verb: PostVerb; fields: Record<string, string> };
export type Drop = (post: HTMLElement, place: HTMLElement) => void;

export const postAt = (at: EventTarget | null) =>
  (at as Element | null)?.closest?.<HTMLElement>(POSTS) ?? null;

/** The id of the post that stands there. */
const postIdAt = ({ id }: HTMLElement) => id.slice('post-'.length);
/** No post stands there. */
export const isOpen = ({ id }: HTMLElement) => id === '';
const isVisible = (place: HTMLElement) => place.checkVisibility();

/** Whether a post can be put there: it can be swapped only for its own slot. */
const takes = (place: HTMLElement, post: HTMLElement) =>
  place !== post && (isOpen(place) || Boolean(post.dataset.slot));

/** All places for a post, in the order of time, and with them where it stands now. */
export const placesFor = (post: HTMLElement): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(PLACES)].filter(
    (place) => place === post || (isVisible(place) && takes(place, post)),
  );

export const dayAt = (place: Element) => place.closest<HTMLElement>('.cal-day')!;

/** The place under the mouse; a day stands for the first of its slots that is open. */
export function placeAt(at: EventTarget | null, post: HTMLElement): HTMLElement | null {
  const element = at as Element | null;
  const place = element?.closest?.<HTMLElement>(PLACES);
  if (place) return takes(place, post) ? place : null;
  return element?.closest?.('.cal-day')?.querySelector<HTMLElement>('[data-slot]:not([id])') ?? null;
}

/** Marks what is moved, and where to. */
export function mark(post: HTMLElement, place?: HTMLElement | null): void {
  for (const marked of document.querySelectorAll(`#calendar .${TARGET}`)) marked.classList.remove(TARGET);
  post.classList.add(GRABBED);
  if (place && place !== post) place.classList.add(TARGET);
}

export function unmark(): void {
  for (const name of [GRABBED, TARGET]) {
    for (const marked of document.querySelectorAll(`#calendar .${name}`)) marked.classList.remove(name);
  }
}

const partOf = (place: HTMLElement, part: string) => place.querySelector(part)?.textContent ?? '';
export const hookOf = (post: HTMLElement) => `“${partOf(post, '.cal-hook')}”`;
export const labelOf = (place: HTMLElement) => `${dayAt(place).dataset.name}, ${partOf(place, 'time')}`;

/** Onto an open slot a post is moved, with another post it is swapped. */
export function wishOf(post: HTMLElement, place: HTMLElement): Move {
  const postId = postIdAt(post);
  const slot = place.dataset.slot!;
  if (isOpen(place)) return { postId, verb: 'move', fields: { slot } };
  return {
    postId,
    verb: 'swap',
    fields: { otherId: postIdAt(place), slot: post.dataset.slot!, otherSlot: slot },
  };
}
