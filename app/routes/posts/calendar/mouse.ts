import { type Drop, mark, placeAt, postAt, unmark } from './drop-targets.ts';

/** Lets the mouse take a post by its link, which browsers drag by themselves, to another time. */
export function listenToMouse(drop: Drop): () => void {
  let post: HTMLElement | null = null;
  let over: EventTarget | null = null;
  let place: HTMLElement | null = null;
  const ends = new AbortController();
  const on = (name: 'dragstart' | 'dragover' | 'drop' | 'dragend', act: (event: DragEvent) => void) =>
    document.addEventListener(name, act, { signal: ends.signal });

  on('dragstart', ({ target, dataTransfer, offsetX, offsetY }) => {
    post = postAt(target);
    if (!post || !dataTransfer) return;
    dataTransfer.effectAllowed = 'move';
    dataTransfer.setDragImage(post, offsetX, offsetY);
    over = place = null;
    // The picture that hangs on the mouse is taken of the post before it is marked.
    requestAnimationFrame(() => post && mark(post));
  });
  on('dragover', (event) => {
    if (!post) return;
    if (event.target !== over) {
      over = event.target;
      place = placeAt(over, post);
      mark(post, place);
    }
    if (place) event.preventDefault();
  });
  on('drop', (event) => {
    if (!post || !place) return;
    event.preventDefault();
    drop(post, place);
  });
  on('dragend', () => {
    post = place = over = null;
    unmark();
  });
  return () => ends.abort();
}
