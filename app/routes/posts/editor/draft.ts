import { type FormEvent, type KeyboardEvent, useEffect, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Field } from '#app/ui/form/field.tsx';
import type { useSaving } from './autosave.ts';
import { type Typed, typedIn } from './saver.ts';

type Fields = Record<keyof Typed, Pick<Field, 'defaultValue'>>;
type Saving = ReturnType<typeof useSaving>;

/** What is typed, as it is typed. */
export function useDraft(fields: Fields, { saver }: Saving) {
  const [draft, setDraft] = useState<Typed>({
    content: fields.content.defaultValue ?? '',
    imageUrl: fields.imageUrl.defaultValue ?? '',
    altText: fields.altText.defaultValue ?? '',
    hashtags: fields.hashtags.defaultValue ?? '',
  });
  // What was typed before scripts came counts, too.
  useEffect(() => {
    if (saver.form) setDraft(typedIn(saver.form));
  }, [saver]);
  const onInput = ({ target }: FormEvent<HTMLFormElement>) => {
    const { name, value } = target as HTMLInputElement;
    if (name in draft) setDraft((current) => ({ ...current, [name]: value }));
    saver.follow();
  };
  return { draft, onInput };
}

/** Escape leaves the form; Ctrl or Cmd with Enter saves and closes it, as its button does. */
export function useLeaving(closeTo: string, { saver, at }: Saving) {
  const navigate = useNavigate();
  const leave = () => void navigate(closeTo, { preventScrollReset: true });
  const onKeyDown = (event: KeyboardEvent<HTMLFormElement>) => {
    if ((event.target as Element).closest('dialog')) return;
    if (event.key === 'Escape') leave();
    else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit();
  };
  const onSubmitCapture = (event: FormEvent<HTMLFormElement>) => {
    const isDone = saver.close();
    if (isDone && at) return;
    event.preventDefault();
    event.stopPropagation();
    if (isDone) leave();
  };
  return { onKeyDown, onSubmitCapture };
}
