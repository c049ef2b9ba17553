import {
  type Drop,
  dayAt,
  hookOf,
  isOpen,
  labelOf,
  mark,
  placesFor,
  postAt,
  unmark,
} from './drop-targets.ts';

type PickedUp = { post: HTMLElement; places: HTMLElement[]; at: number };

/** The place one slot on, or at about the same slot of the next day that has one. */
const STEPS: Record<string, (held: PickedUp) => number> = {
  ArrowUp: ({ at }) => at - 1,
  ArrowDown: ({ at }) => at + 1,
  ArrowLeft: (held) => besideOf(held, -1),
  ArrowRight: (held) => besideOf(held, 1),
};

function besideOf({ places, at }: PickedUp, step: 1 | -1): number {
  const day = dayAt(places[at]!);
  const of = (other: HTMLElement) => places.filter((place) => dayAt(place) === other);
  let next = at;
  while (places[next] && dayAt(places[next]!) === day) next += step;
  const there = places[next];
  if (!there) return next;
  const slots = of(dayAt(there));
  const number = Math.min(of(day).indexOf(places[at]!), slots.length - 1);
  return places.indexOf(slots[number]!);
}

const HOW = 'Arrow keys choose a time, Space or Enter puts the post there, Escape leaves it where it is.';

/** What the keys have taken, and how it is told where it goes. */
class Hand {
  held: PickedUp | undefined;
  readonly #drop: Drop;
  readonly #say: (words: string) => void;

  constructor(drop: Drop, say: (words: string) => void) {
    this.#drop = drop;
    this.#say = say;
  }

  take(post: HTMLElement): void {
    const places = placesFor(post);
    const at = Math.max(0, places.indexOf(post));
    this.held = { post, places, at };
    mark(post, places[at]);
    this.#say(`${hookOf(post)} is taken from ${labelOf(post)}. ${HOW}`);
  }

  /**
   * Returns the held post and its places as they are on the page now, which may have changed since the last key.
   * Undefined if nothing is held or the post can no longer be moved.
   */
  follow(): PickedUp | undefined {
    const { held } = this;
    if (!held) return undefined;
    const post = postAt(document.getElementById(held.post.id));
    if (!post) return this.leave('The post can not be moved any more.');
    const places = placesFor(post);
    const at = places.findIndex(({ dataset }) => dataset.slot === held.places[held.at]?.dataset.slot);
    this.held = { post, places, at: Math.max(0, at) };
    return this.held;
  }

  step({ post, places }: PickedUp, to: number): void {
    const place = places[to];
    if (!place) {
      this.#say('There is no other time in this direction.');
      return;
    }
    this.held = { post, places, at: to };
    mark(post, place);
    place.scrollIntoView({ block: 'nearest' });
    const there = isOpen(place) ? 'open' : `swap with ${hookOf(place)}`;
    this.#say(`${labelOf(place)}, ${place === post ? 'its own time' : there}`);
  }

  put({ post, places, at }: PickedUp): void {
    const place = places[at];
    const isOther = place && place !== post;
    this.leave(isOther ? `${hookOf(post)} goes to ${labelOf(place)}.` : `${hookOf(post)} stays where it is.`);
    if (isOther) this.#drop(post, place);
  }

  leave(words: string): undefined {
    this.held = undefined;
    unmark();
    this.#say(words);
  }
}

/** What a key does to the post that is held; false when it ends that and does what it always does. */
function press(hand: Hand, held: PickedUp, key: string): boolean {
  if (STEPS[key]) hand.step(held, STEPS[key](held));
  else if (key === 'Escape') hand.leave(`${hookOf(held.post)} stays where it is.`);
  else if (key === ' ' || key === 'Enter') hand.put(held);
  else if (key === 'Tab') hand.leave('');
  return key !== 'Tab';
}

/** Takes a post with Space on its link, moves it with the arrows, and puts it down with Space or Enter. */
export function listenToKeys(drop: Drop, say: (words: string) => void): () => void {
  const hand = new Hand(drop, say);
  const ends = new AbortController();
  const onKey = (event: KeyboardEvent) => {
    const held = hand.follow();
    const post = !held && event.key === ' ' ? postAt(event.target) : null;
    if (post) hand.take(post);
    else if (!held || !press(hand, held, event.key)) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('keydown', onKey, { signal: ends.signal, capture: true });
  document.addEventListener('pointerdown', () => hand.held && hand.leave(''), { signal: ends.signal });
  return () => ends.abort();
}
