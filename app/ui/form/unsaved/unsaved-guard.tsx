import { useEffect, useRef, useState } from 'react';
import { LeaveDialog, type Leaves, UnsavedBlocker } from './use-unsaved-blocker.tsx';

type Control = Partial<HTMLInputElement & HTMLSelectElement>;

/** Where no option was chosen for its reader the first one stands. */
const isOther = ({ options, selectedIndex }: HTMLSelectElement) =>
  selectedIndex !==
  Math.max(
    [...options].findIndex(({ defaultSelected }) => defaultSelected),
    0,
  );

const isChanged = (control: Control) =>
  control.options
    ? isOther(control as HTMLSelectElement)
    : control.checked !== control.defaultChecked ||
      (control.defaultValue !== undefined && control.value !== control.defaultValue);

/** Whether a form holds what is stored nowhere: changed since it came, or refused. */
const isUnsaved = (form: HTMLFormElement) =>
  [...form.elements].some((control) => isChanged(control as Control)) ||
  form.querySelector('[aria-invalid=true], [role=alert]') !== null;

/** Stands in a form: whoever typed something there and leaves is asked first. */
export function UnsavedGuard({ leaves }: { leaves?: Leaves }) {
  const mark = useRef<HTMLElement>(null);
  const isSending = useRef(false);
  const [isTyped, setTyped] = useState(false);
  useEffect(() => {
    // Whoever types once the connection is lost is asked, too.
    void LeaveDialog.load().catch(() => {});
    const form = mark.current!.closest('form')!;
    const page = form.closest('main') ?? form;
    const note = () => setTyped(true);
    // Somebody may have written before scripts came.
    if (isUnsaved(form)) note();
    // What a form of this page is sent to comes back to it.
    const send = ({ target }: Event) => {
      isSending.current = page.contains(target as Node);
      setTimeout(() => {
        isSending.current = false;
      });
    };
    form.addEventListener('input', note);
    document.addEventListener('submit', send, true);
    return () => {
      form.removeEventListener('input', note);
      document.removeEventListener('submit', send, true);
    };
  }, []);
  const holds = () => !isSending.current && isUnsaved(mark.current!.closest('form')!);
  return (
    <>
      <i ref={mark} hidden />
      {isTyped && <UnsavedBlocker isUnsaved holds={holds} leaves={leaves} />}
    </>
  );
}
