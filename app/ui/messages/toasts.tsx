import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';

type NoticeItem = {
  id: string;
  tone: 'success' | 'error' | 'info';
  text: string;
  /** Where the form was sent of which it tells what became; with our own address in front when only the browser knows. */
  of?: string | undefined;
  action?: { label: string; to: string; fields: Record<string, string> };
};

const MOST = 20;
const ICONS = { success: CircleCheck, error: CircleAlert, info: Info };
const SHOWN_FOR_MS = { success: 3000, error: 4000, info: 4000 };
/** A button takes time to be found. */
const ACTION_SHOWN_FOR_MS = 180_000;

type ToastProps = { notice: NoticeItem; close: (id: string) => void };

function Toast({ notice, close }: ToastProps) {
  const [isHeld, setHeld] = useState(false);
  const isHydrated = useHydrated();
  const { action } = notice;
  const Icon = ICONS[notice.tone];
  useEffect(() => {
    if (isHeld) return;
    const timer = setTimeout(close, action ? ACTION_SHOWN_FOR_MS : SHOWN_FOR_MS[notice.tone], notice.id);
    return () => clearTimeout(timer);
  }, [isHeld, notice, action, close]);

  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  return (
    <li
      className={`toast toast-${notice.tone}`}
      onPointerEnter={hold}
      onPointerLeave={release}
      onFocus={hold}
      onBlur={release}
    >
      <Icon aria-hidden size={20} className="toast-icon" />
      <p className="min-w-0 flex-1 py-0.5">{notice.text}</p>
      {action && (
        <ActionForm
          action={action.to}
          failure={`Failed to ${action.label.toLowerCase()}`}
          fields={action.fields}
          preventScrollReset
        >
          <button type="submit" className="btn btn-sm btn-ghost">
            {action.label}
          </button>
        </ActionForm>
      )}
      {isHydrated && (
        <button type="button" className="toast-close" onClick={() => close(notice.id)}>
          <X aria-hidden size={16} />
          <span className="sr-only">Close notice</span>
        </button>
      )}
    </li>
  );
}

/** What can be undone is what happened last, and what a form said before is over once the very same one has worked. */
const isOver = ({ action, of }: NoticeItem, fresh: NoticeItem[]) =>
  action ?? fresh.some((each) => each.of && each.tone === 'success' && of?.endsWith(each.of));

/** What just happened, top right. The server renders the list; scripts let each notice go by itself. */
export function Toasts({ notices }: { notices: NoticeItem[] }) {
  const [items, setItems] = useState(() => notices.slice(-MOST));
  const seen = useRef(new Set(notices.map(({ id }) => id)));
  const list = useRef<HTMLDivElement>(null);
  const [close] = useState(
    () => (id: string) => setItems((current) => current.filter((item) => item.id !== id)),
  );

  useEffect(() => {
    const fresh = notices.filter(({ id }) => !seen.current.has(id));
    if (!fresh.length) return;
    for (const { id } of fresh) seen.current.add(id);
    setItems((current) => [...current.filter((item) => !isOver(item, fresh)), ...fresh].slice(-MOST));
  }, [notices]);

  // Only the browser's top layer lies above a modal dialog; showing the list again puts it on top.
  useEffect(() => {
    const element = list.current;
    if (!element || !items.length) return;
    element.popover = 'manual';
    element.showPopover();
    return () => element.hidePopover();
  }, [items]);

  return (
    <div ref={list} role="status" aria-label="Notices" className="toasts">
      <ol className="contents">
        {items.map((notice) => (
          <Toast key={notice.id} notice={notice} close={close} />
        ))}
      </ol>
    </div>
  );
}
