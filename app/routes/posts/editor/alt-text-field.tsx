import type { SubmissionResult } from '@conform-to/react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { BY_ITSELF, SUGGEST } from '#app/routes/posts/params.ts';
import { Button } from '#app/ui/form/button.tsx';
import { registerSubmission } from '#app/ui/form/failure/client-middleware.ts';
import type { Field } from '#app/ui/form/field.tsx';
import { TextArea } from '#app/ui/form/form.tsx';
import { typedIn } from './saver.ts';

/** What a picture shows, typed or suggested by the writer; `address` is that of the form. */
export function AltTextField({ field, address }: { field: Field; address: string }) {
  const to = `${address}&${SUGGEST}`;
  const { ask, isAsking, said } = useSuggestion(to);
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
          isBusy={isAsking}
          onClick={ask}
        >
          Suggest
          <span className="sr-only"> a picture description</span>
        </Button>
        <p role="status" className="min-w-0 flex-1 text-xs text-ink-3">
          {said}
        </p>
      </div>
    </div>
  );
}

type Answer = { suggested: string } | (SubmissionResult<string[]> & { suggested?: undefined });
/** Where a description was asked for, and what stood there then. */
type Request = { button: HTMLButtonElement; form: HTMLFormElement; altText: string; imageUrl: string };

const LOST = 'Tidepost did not answer. Try again in a moment.';

/** Asks for a description of the picture in the form around a button, and puts it into its field. */
function useSuggestion(address: string) {
  const { submit, state, data } = useFetcher<Answer>();
  const [said, setSaid] = useState('');
  const asked = useRef<Request>(null);
  useEffect(() => {
    if (state !== 'idle' || !data || !asked.current) return;
    setSaid(take(asked.current, data));
    asked.current = null;
  }, [state, data]);
  const ask = (event: MouseEvent<HTMLButtonElement>) => {
    const button = event.currentTarget;
    const { form } = button;
    if (!form) return;
    event.preventDefault();
    const typed = typedIn(form);
    asked.current = { button, form, altText: typed.altText, imageUrl: typed.imageUrl };
    const action = `${address}&${BY_ITSELF}`;
    setSaid('Looking at the picture…');
    const to = new URL(action, window.location.href);
    if (registerSubmission(to, (_lack, refusal) => setSaid(refusal ?? LOST), 'quiet'))
      void submit(typed, { method: 'post', action, defaultShouldRevalidate: false });
  };
  return { ask, isAsking: state !== 'idle', said };
}

/** Answers what is said of it. What was typed meanwhile stands. */
function take({ button, form, altText, imageUrl }: Request, answer: Answer): string {
  if (answer.suggested === undefined)
    return Object.values(answer.error ?? {})
      .flat()
      .map((why) => `${why}.`)
      .join(' ');
  const now = typedIn(form);
  if (now.imageUrl !== imageUrl) return 'The picture was changed meanwhile. Ask again for the new one.';
  if (now.altText !== altText)
    return `You typed meanwhile, so your words stand. Suggested: ${answer.suggested}`;
  fill(form.elements.namedItem('altText') as HTMLTextAreaElement, button, answer.suggested);
  return 'Read it before it goes out: the writer can be wrong.';
}

/** As if it was typed, so that it can be undone; whoever has gone on to another field is left there. */
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
