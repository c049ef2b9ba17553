import { startTransition, useEffect, useRef, useState } from 'react';
import { useNavigate, useNavigation } from 'react-router';
import { postAddress } from '#app/routes/actions.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { type Drop, type Move, mark, moveTo, postAt, targetAt, unmark } from './drop-targets.ts';
import { listenToKeys } from './keyboard-move.ts';

const FORM = 'calendar-drop';
const HINT = 'Drag a post to another time, or press Space on it and use the arrow keys.';

/** Moves the posts of the calendar by mouse and keyboard. On touch screens "Move to…" does. */
export function CalendarDrag({ from }: { from: string }) {
  const [message, announce] = useState('');
  const [move, setMove] = useState<Move>();
  useEffect(() => {
    // A transition: the form is sent after the frame that shows the dropped post.
    const drop = (post: HTMLElement, target: HTMLElement) =>
      startTransition(() => setMove(moveTo(post, target)));
    const listeners = [listenToMouse(drop), listenToKeys(drop, announce)];
    return () => {
      for (const end of listeners) end();
    };
  }, []);
  useEffect(() => {
    if (move) (document.getElementById(FORM) as HTMLFormElement | null)?.requestSubmit();
  }, [move]);
  useClientNavigation();
  useFocusAfterMove(move, () => setMove((current) => (current === move ? undefined : current)));
  return (
    <>
      <p className="mt-2 hidden text-sm text-ink-3 md:block">{HINT}</p>
      <p role="status" aria-label="Moving a post" className="sr-only">
        {message}
      </p>
      {move && (
        <ActionForm
          id={FORM}
          action={postAddress(move.postId, move.verb)}
          failure={`Failed to ${move.verb} post`}
          fields={{ ...move.fields, from }}
          preventScrollReset
        />
      )}
    </>
  );
}

function useFocusAfterMove(move: Move | undefined, end: () => void) {
  const { state } = useNavigation();
  const wasSent = useRef(false);
  useEffect(() => {
    if (!move) return;
    if (state !== 'idle') wasSent.current = true;
    else if (wasSent.current) {
      wasSent.current = false;
      document.querySelector<HTMLElement>(`#post-${move.postId} a`)?.focus();
      end();
    }
  }, [move, state, end]);
}

const isPlainClick = ({ button, metaKey, ctrlKey, shiftKey, altKey }: MouseEvent) =>
  button === 0 && !metaKey && !ctrlKey && !shiftKey && !altKey;

/**
 * Follows the plain links of the calendar without loading a whole page. With a `Link` for each, the server needs an
 * eighth more CPU for a month of 150 posts (bench/pages/month.ts).
 */
function useClientNavigation() {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = (event.target as Element).closest<HTMLAnchorElement>('#calendar a[href]');
      if (!link || event.defaultPrevented || !isPlainClick(event)) return;
      event.preventDefault();
      const to = link.getAttribute('href')!;
      void navigate(to, { preventScrollReset: to.startsWith('?') && !to.includes('#') });
    };
    document.addEventListener('click', follow);
    return () => document.removeEventListener('click', follow);
  }, [navigate]);
}

/** Drags a post by its link, which browsers make draggable, to another time. */
function listenToMouse(drop: Drop): () => void {
  let post: HTMLElement | null = null;
  let hovered: EventTarget | null = null;
  let target: HTMLElement | null = null;
  const controller = new AbortController();
  const on = (name: 'dragstart' | 'dragover' | 'drop' | 'dragend', listener: (event: DragEvent) => void) =>
    document.addEventListener(name, listener, { signal: controller.signal });

  on('dragstart', ({ target: dragged, dataTransfer, offsetX, offsetY }) => {
    post = postAt(dragged);
    if (!post || !dataTransfer) return;
    dataTransfer.effectAllowed = 'move';
    dataTransfer.setDragImage(post, offsetX, offsetY);
    hovered = target = null;
    // The browser takes the drag image before the post is marked.
    requestAnimationFrame(() => post && mark(post));
  });
  on('dragover', (event) => {
    if (!post) return;
    if (event.target !== hovered) {
      hovered = event.target;
      target = targetAt(hovered, post);
      mark(post, target);
    }
    if (target) event.preventDefault();
  });
  on('drop', (event) => {
    if (!post || !target) return;
    event.preventDefault();
    drop(post, target);
  });
  on('dragend', () => {
    post = target = hovered = null;
    unmark();
  });
  return () => controller.abort();
}
