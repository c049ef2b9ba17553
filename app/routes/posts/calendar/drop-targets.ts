import type { PostVerb } from '#app/routes/actions.ts';

/** Slots that a post can be dropped on: open ones, and those of posts that can be swapped. */
const TARGETS = '#calendar [data-slot]';
const POSTS = '#calendar .cal-entry:has(> .cal-move)';
const PICKED_UP = 'is-grabbed';
const TARGETED = 'is-target';

export type Move = { postId: string; verb: PostVerb; fields: Record<string, string> };
export type Drop = (post: HTMLElement, target: HTMLElement) => void;

export const postAt = (eventTarget: EventTarget | null) =>
  (eventTarget as Element | null)?.closest?.<HTMLElement>(POSTS) ?? null;

const postIdAt = ({ id }: HTMLElement) => id.slice('post-'.length);
/** Only the entry of a post has an id. */
export const isOpen = ({ id }: HTMLElement) => id === '';
/** A post without a slot of its own can't be swapped. */
const canDrop = (target: HTMLElement, post: HTMLElement) =>
  target !== post && (isOpen(target) || Boolean(post.dataset.slot));

/** All targets for a post in the order of time, including its own slot. */
export const targetsFor = (post: HTMLElement): HTMLElement[] =>
  [...document.querySelectorAll<HTMLElement>(TARGETS)].filter(
    (target) => target === post || (target.checkVisibility() && canDrop(target, post)),
  );

export const dayAt = (target: Element) => target.closest<HTMLElement>('.cal-day')!;

/** The target under the mouse. A day stands for its first open slot. */
export function targetAt(eventTarget: EventTarget | null, post: HTMLElement): HTMLElement | null {
  const element = eventTarget as Element | null;
  const target = element?.closest?.<HTMLElement>(TARGETS);
  if (target) return canDrop(target, post) ? target : null;
  return element?.closest?.('.cal-day')?.querySelector<HTMLElement>('[data-slot]:not([id])') ?? null;
}

export function mark(post: HTMLElement, target?: HTMLElement | null): void {
  for (const marked of document.querySelectorAll(`#calendar .${TARGETED}`)) marked.classList.remove(TARGETED);
  post.classList.add(PICKED_UP);
  if (target && target !== post) target.classList.add(TARGETED);
}

export function unmark(): void {
  for (const name of [PICKED_UP, TARGETED]) {
    for (const marked of document.querySelectorAll(`#calendar .${name}`)) marked.classList.remove(name);
  }
}

const partOf = (target: HTMLElement, part: string) => target.querySelector(part)?.textContent ?? '';
export const hookOf = (post: HTMLElement) => `“${partOf(post, '.cal-hook')}”`;
export const labelOf = (target: HTMLElement) => `${dayAt(target).dataset.name}, ${partOf(target, 'time')}`;

/** Dropping on an open slot moves the post, dropping on another post swaps the two. */
export function moveTo(post: HTMLElement, target: HTMLElement): Move {
  const postId = postIdAt(post);
  const slot = target.dataset.slot!;
  if (isOpen(target)) return { postId, verb: 'move', fields: { slot } };
  return {
    postId,
    verb: 'swap',
    fields: { otherId: postIdAt(target), slot: post.dataset.slot!, otherSlot: slot },
  };
}
