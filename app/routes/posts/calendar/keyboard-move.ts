import {
  type Drop,
  dayAt,
  hookOf,
  isOpen,
  labelOf,
  mark,
  postAt,
  targetsFor,
  unmark,
} from './drop-targets.ts';

type PickedUp = { post: HTMLElement; targets: HTMLElement[]; index: number };

/** The index of the target to step to: the next one, or about the same slot of the next day that has one. */
const STEPS: Record<string, (pickedUp: PickedUp) => number> = {
  ArrowUp: ({ index }) => index - 1,
  ArrowDown: ({ index }) => index + 1,
  ArrowLeft: (pickedUp) => nextDayIndex(pickedUp, -1),
  ArrowRight: (pickedUp) => nextDayIndex(pickedUp, 1),
};

function nextDayIndex({ targets, index }: PickedUp, step: 1 | -1): number {
  const day = dayAt(targets[index]!);
  const targetsOn = (other: HTMLElement) => targets.filter((target) => dayAt(target) === other);
  let next = index;
  while (targets[next] && dayAt(targets[next]!) === day) next += step;
  const nextTarget = targets[next];
  if (!nextTarget) return next;
  const slots = targetsOn(dayAt(nextTarget));
  const number = Math.min(targetsOn(day).indexOf(targets[index]!), slots.length - 1);
  return targets.indexOf(slots[number]!);
}

const INSTRUCTIONS =
  'Arrow keys choose a time, Space or Enter puts the post there, Escape leaves it where it is.';

class KeyboardMove {
  pickedUp: PickedUp | undefined;
  readonly #drop: Drop;
  readonly #announce: (message: string) => void;

  constructor(drop: Drop, announce: (message: string) => void) {
    this.#drop = drop;
    this.#announce = announce;
  }

  pickUp(post: HTMLElement): void {
    const targets = targetsFor(post);
    const index = Math.max(0, targets.indexOf(post));
    this.pickedUp = { post, targets, index };
    mark(post, targets[index]);
    this.#announce(`${hookOf(post)} is taken from ${labelOf(post)}. ${INSTRUCTIONS}`);
  }

  /**
   * Returns the picked-up post and its targets as they are on the page now, which may have changed since the last
   * key. Undefined if there is none or the post can no longer be moved.
   */
  refresh(): PickedUp | undefined {
    const { pickedUp } = this;
    if (!pickedUp) return undefined;
    const post = postAt(document.getElementById(pickedUp.post.id));
    if (!post) return this.finish('The post can not be moved any more.');
    const targets = targetsFor(post);
    const slot = pickedUp.targets[pickedUp.index]?.dataset.slot;
    const index = targets.findIndex(({ dataset }) => dataset.slot === slot);
    this.pickedUp = { post, targets, index: Math.max(0, index) };
    return this.pickedUp;
  }

  step({ post, targets }: PickedUp, to: number): void {
    const target = targets[to];
    if (!target) {
      this.#announce('There is no other time in this direction.');
      return;
    }
    this.pickedUp = { post, targets, index: to };
    mark(post, target);
    target.scrollIntoView({ block: 'nearest' });
    const targetText = isOpen(target) ? 'open' : `swap with ${hookOf(target)}`;
    this.#announce(`${labelOf(target)}, ${target === post ? 'its own time' : targetText}`);
  }

  drop({ post, targets, index }: PickedUp): void {
    const target = targets[index];
    const isOther = target && target !== post;
    this.finish(
      isOther ? `${hookOf(post)} goes to ${labelOf(target)}.` : `${hookOf(post)} stays where it is.`,
    );
    if (isOther) this.#drop(post, target);
  }

  finish(message: string): undefined {
    this.pickedUp = undefined;
    unmark();
    this.#announce(message);
  }
}

/**
 * Handles a key for the picked-up post. Tab drops the post and returns false, so that the browser still moves the
 * focus.
 */
function press(keyboardMove: KeyboardMove, pickedUp: PickedUp, key: string): boolean {
  if (STEPS[key]) keyboardMove.step(pickedUp, STEPS[key](pickedUp));
  else if (key === 'Escape') keyboardMove.finish(`${hookOf(pickedUp.post)} stays where it is.`);
  else if (key === ' ' || key === 'Enter') keyboardMove.drop(pickedUp);
  else if (key === 'Tab') keyboardMove.finish('');
  return key !== 'Tab';
}

/** Picks up a post with Space on its link, moves it with the arrow keys, and drops it with Space or Enter. */
export function listenToKeys(drop: Drop, announce: (message: string) => void): () => void {
  const keyboardMove = new KeyboardMove(drop, announce);
  const controller = new AbortController();
  const onKey = (event: KeyboardEvent) => {
    const pickedUp = keyboardMove.refresh();
    const post = !pickedUp && event.key === ' ' ? postAt(event.target) : null;
    if (post) keyboardMove.pickUp(post);
    else if (!pickedUp || !press(keyboardMove, pickedUp, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', onKey, { signal: controller.signal, capture: true });
  document.addEventListener('pointerdown', () => keyboardMove.pickedUp && keyboardMove.finish(''), {
    signal: controller.signal,
  });
  return () => controller.abort();
}
