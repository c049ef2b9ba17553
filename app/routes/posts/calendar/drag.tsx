import { startTransition, useEffect, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { postAddress } from '#app/routes/actions.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { type Drop, type Move, mark, placeAt, postAt, unmark, wishOf } from './drop-targets.ts';
import { listenToKeys } from './keyboard.ts';

const FORM = 'calendar-drop';
const HINT = 'Drag a post to another time, or press Space on it and use the arrow keys.';

/** Moves the posts of the calendar with the mouse and with the keys. Fingers have "Move to…". */
export function CalendarDrag({ from }: { from: string }) {
  const [said, say] = useState('');
  const [wish, want] = useState<Move>();
  useEffect(() => {
    // What is sent comes after the frame that shows where the post was put.
    const drop = (post: HTMLElement, place: HTMLElement) => startTransition(() => want(wishOf(post, place)));
    const ends = [listenToMouse(drop), listenToKeys(drop, say)];
    return () => {
      for (const end of ends) end();
    };
  }, []);
  useEffect(() => {
    if (wish) (document.getElementById(FORM) as HTMLFormElement | null)?.requestSubmit();
  }, [wish]);
  useFollowedLinks();
  // Another post may have been put somewhere meanwhile.
  useFocusThere(wish, () => want((now) => (now === wish ? undefined : now)));
  return (
    <>
      <p className="mt-2 hidden text-sm text-ink-3 md:block">{HINT}</p>
      <p role="status" aria-label="Moving a post" className="sr-only">
        {said}
      </p>
      {wish && (
        <ActionForm
          id={FORM}
          action={postAddress(wish.postId, wish.verb)}
          failure={`Failed to ${wish.verb} post`}
          fields={{ ...wish.fields, from }}
          preventScrollReset
        />
      )}
    </>
  );
}

/** Focuses the post that was moved where it stands now. */
function useFocusThere(wish: Move | undefined, end: () => void) {
  const { state } = useNavigation();
  const wasSent = useRef(false);
  useEffect(() => {
    if (!wish) return;
    if (state !== 'idle') wasSent.current = true;
    else if (wasSent.current) {
      wasSent.current = false;
      document.querySelector<HTMLElement>(`#post-${wish.postId} a`)?.focus();
      end();
    }
  }, [wish, state, end]);
}

const isPlain = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/**
 * Follows the plain links of the calendar without loading a whole page. With a `Link` for each, the server needs an
 * eighth more CPU for a month of 150 posts (bench/pages/month.ts).
 */
function useFollowedLinks() {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('#calendar a[href]');
      if (!link || event.defaultPrevented || !isPlain(event)) return;
      event.preventDefault();
      const to = link.getAttribute('href')!;
      void navigate(to, { preventScrollReset: to.startsWith('?') && !to.includes('#') });
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [navigate]);
}

/** Lets the mouse take a post by its link, which browsers drag by themselves, to another time. */
function listenToMouse(drop: Drop): () => void {
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
