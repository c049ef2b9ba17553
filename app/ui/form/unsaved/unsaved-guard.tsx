import { useEffect, useRef, useState } from 'react';
import { LeaveDialog, type Leaves, UnsavedBlocker } from './use-unsaved-blocker.tsx';

type Control = Partial<HTMLInputElement & HTMLSelectElement>;

/** Without a default, browsers select the first option. */
const isSelectChanged = ({ options, selectedIndex }: HTMLSelectElement) =>
  selectedIndex !==
  Math.max(
    [...options].findIndex(({ defaultSelected }) => defaultSelected),
    0,
  );

const isChanged = (control: Control) =>
  control.options
    ? isSelectChanged(control as HTMLSelectElement)
    : control.checked !== control.defaultChecked ||
      (control.defaultValue !== undefined && control.value !== control.defaultValue);

const isUnsaved = (form: HTMLFormElement) =>
  [...form.elements].some((control) => isChanged(control as Control)) ||
  form.querySelector('[aria-invalid=true], [role=alert]') !== null;

/** Put it into a form: asks before the user leaves the page with unsaved input in that form. */
export function UnsavedGuard({ leaves }: { leaves?: Leaves }) {
  const marker = useRef<HTMLElement>(null);
  const isSending = useRef(false);
  const [isTyped, setTyped] = useState(false);
  useEffect(() => {
    // Loaded early, so that it also works after the connection is lost.
    void LeaveDialog.load().catch(() => {});
    const form = marker.current!.closest('form')!;
    const page = form.closest('main') ?? form;
    const onInput = () => setTyped(true);
    // The user may have typed before hydration.
    if (isUnsaved(form)) onInput();
    // The forms of this page lead back to it.
    const onSubmit = ({ target }: Event) => {
      isSending.current = page.contains(target as Node);
      setTimeout(() => {
        isSending.current = false;
      });
    };
    form.addEventListener('input', onInput);
    document.addEventListener('submit', onSubmit, true);
    return () => {
      form.removeEventListener('input', onInput);
      document.removeEventListener('submit', onSubmit, true);
    };
  }, []);
  const isUnsavedNow = () => !isSending.current && isUnsaved(marker.current!.closest('form')!);
  return (
    <>
      <i ref={marker} hidden />
      {isTyped && <UnsavedBlocker isUnsaved recheck={isUnsavedNow} leaves={leaves} />}
    </>
  );
}
