import type { SubmissionResult } from '@conform-to/react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { AUTOSAVE, SUGGEST } from '#app/routes/posts/params.ts';
import { Button } from '#app/ui/form/button.tsx';
import { registerSubmission } from '#app/ui/form/failure/client-middleware.ts';
import type { Field } from '#app/ui/form/field.tsx';
import { TextArea } from '#app/ui/form/form.tsx';
import { readFields } from './saver.ts';

/** A picture description, typed or suggested by the writer. `address` is the action URL of the edit form. */
export function AltTextField({ field, address }: { field: Field; address: string }) {
  const to = `${address}&${SUGGEST}`;
  const { suggest, isLoading, message } = useSuggestion(to);
  return (
    <div className="alt-text">
      <TextArea field={field} label="Picture description" hint="For people who cannot see it" rows={2} />
      <div className="mt-2 flex items-center gap-3">
        <Button
          type="submit"
          formAction={`${to}#${field.id}`}
          formNoValidate
          variant="secondary"
          size="sm"
          isBusy={isLoading}
          onClick={suggest}
        >
          Suggest
          <span className="sr-only"> a picture description</span>
        </Button>
        <p role="status" className="min-w-0 flex-1 text-xs text-ink-3">
          {message}
        </p>
      </div>
    </div>
  );
}

type Suggestion = { suggested: string } | (SubmissionResult<string[]> & { suggested?: undefined });
/** The form at the time of the request, to detect what the user changed meanwhile. */
type PendingSuggestion = {
  button: HTMLButtonElement;
  form: HTMLFormElement;
  altText: string;
  imageUrl: string;
};

const NO_ANSWER = 'Tidepost did not answer. Try again in a moment.';

function useSuggestion(address: string) {
  const { submit, state, data } = useFetcher<Suggestion>();
  const [message, setMessage] = useState('');
  const pending = useRef<PendingSuggestion>(null);
  useEffect(() => {
    if (state !== 'idle' || !data || !pending.current) return;
    setMessage(applySuggestion(pending.current, data));
    pending.current = null;
  }, [state, data]);
  const suggest = (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    const { form } = button;
    if (!form) return;
    event.preventDefault();
    const typed = readFields(form);
    pending.current = { button, form, altText: typed.altText, imageUrl: typed.imageUrl };
    const action = `${address}&${AUTOSAVE}`;
    setMessage('Looking at the picture…');
    const to = new URL(action, window.location.href);
    if (registerSubmission(to, (_lack, refusal) => setMessage(refusal ?? NO_ANSWER), 'quiet'))
      void submit(typed, { method: 'post', action, defaultShouldRevalidate: false });
  };
  return { suggest, isLoading: state !== 'idle', message };
}

/** Fills in the suggestion unless the form has changed since the request, and returns the message to show. */
function applySuggestion(
  { button, form, altText, imageUrl }: PendingSuggestion,
  suggestion: Suggestion,
): string {
  if (suggestion.suggested === undefined)
    return Object.values(suggestion.error ?? {})
      .flat()
      .map((why) => `${why}.`)
      .join(' ');
  const current = readFields(form);
  if (current.imageUrl !== imageUrl) return 'The picture was changed meanwhile. Ask again for the new one.';
  if (current.altText !== altText)
    return `You typed meanwhile, so your words stand. Suggested: ${suggestion.suggested}`;
  fill(form.elements.namedItem('altText') as HTMLTextAreaElement, button, suggestion.suggested);
  return 'Read it before it goes out: the writer can be wrong.';
}

/** Inserts the text as if it was typed, so that the browser can undo it. Does not take the focus from another field. */
function fill(area: HTMLTextAreaElement, button: HTMLButtonElement, text: string): void {
  const { activeElement } = document;
  if (activeElement === button || activeElement === document.body) {
    area.focus();
    area.select();
    if (document.execCommand('insertText', false, text)) return;
  }
  area.value = text;
  area.dispatchEvent(new Event('input', { bubbles: true }));
}
