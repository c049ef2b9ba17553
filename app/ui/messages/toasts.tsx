import { CircleAlert, CircleCheck, Info, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';

type ToastMessage = {
  id: string;
  tone: 'success' | 'error' | 'info';
  text: string;
  /** The URL of the form whose result this is. Errors that the browser reports have an absolute URL. */
  formAction?: string | undefined;
  action?: { label: string; to: string; fields: Record<string, string> };
};

const TOASTS_MAX = 20;
const ICONS = { success: CircleCheck, error: CircleAlert, info: Info };
const SHOWN_FOR_MS = { success: 3000, error: 4000, info: 4000 };
const ACTION_SHOWN_FOR_MS = 180_000;

type ToastProps = { message: ToastMessage; close: (id: string) => void };

function Toast({ message, close }: ToastProps) {
  const [isPaused, setPaused] = useState(false);
  const isHydrated = useHydrated();
  const { id, tone, text, action } = message;
  const Icon = ICONS[tone];
  useEffect(() => {
    if (isPaused) return;
    const timer = setTimeout(close, action ? ACTION_SHOWN_FOR_MS : SHOWN_FOR_MS[tone], id);
    return () => clearTimeout(timer);
  }, [isPaused, id, tone, action, close]);

  const pause = () => setPaused(true);
  const resume = () => setPaused(false);
  return (
    <li
      className={`toast toast-${tone}`}
      onPointerEnter={pause}
      onPointerLeave={resume}
      onFocus={pause}
      onBlur={resume}
    >
      <Icon aria-hidden size={20} className="toast-icon" />
      <p className="min-w-0 flex-1 py-0.5">{text}</p>
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
        <button type="button" className="toast-close" onClick={() => close(id)}>
          <X aria-hidden size={16} />
          <span className="sr-only">Close notice</span>
        </button>
      )}
    </li>
  );
}

/** New messages replace those with a button (only the last action can be undone) and those of a form that has now succeeded. */
const isObsolete = ({ action, formAction }: ToastMessage, fresh: ToastMessage[]) =>
  action ??
  fresh.some((each) => each.formAction && each.tone === 'success' && formAction?.endsWith(each.formAction));

export function Toasts({ messages }: { messages: ToastMessage[] }) {
  const [items, setItems] = useState(() => messages.slice(-TOASTS_MAX));
  const seen = useRef(new Set(messages.map(({ id }) => id)));
  const list = useRef<HTMLDivElement>(null);
  const [close] = useState(
    () => (id: string) => setItems((current) => current.filter((item) => item.id !== id)),
  );

  useEffect(() => {
    const fresh = messages.filter(({ id }) => !seen.current.has(id));
    if (!fresh.length) return;
    for (const { id } of fresh) seen.current.add(id);
    setItems((current) =>
      [...current.filter((item) => !isObsolete(item, fresh)), ...fresh].slice(-TOASTS_MAX),
    );
  }, [messages]);

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
        {items.map((message) => (
          <Toast key={message.id} message={message} close={close} />
        ))}
      </ol>
    </div>
  );
}
