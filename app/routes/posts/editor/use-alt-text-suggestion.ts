import type { SubmissionResult } from '@conform-to/react';
import { type MouseEvent, useEffect, useRef, useState } from 'react';
import { useFetcher } from 'react-router';
import { BY_ITSELF } from '#app/routes/posts/params.ts';
import { noteSent } from '#app/ui/form/failure/client-middleware.ts';
import { typedIn } from './saver.ts';

type Answer = { suggested: string } | (SubmissionResult<string[]> & { suggested?: undefined });
/** Where a description was asked for, and what stood there then. */
type Asked = { button: HTMLButtonElement; form: HTMLFormElement; altText: string; imageUrl: string };

const LOST = 'Tidepost did not answer. Try again in a moment.';

/** Asks for a description of the picture in the form around a button, and puts it into its field. */
export function useSuggestion(address: string) {
  const { submit, state, data } = useFetcher<Answer>();
  const [said, setSaid] = useState('');
  const asked = useRef<Asked>(null);
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
    if (noteSent(to, (_lack, refusal) => setSaid(refusal ?? LOST), 'quiet'))
      void submit(typed, { method: 'post', action, defaultShouldRevalidate: false });
  };
  return { ask, isAsking: state !== 'idle', said };
}

/** Answers what is said of it. What was typed meanwhile stands. */
function take({ button, form, altText, imageUrl }: Asked, answer: Answer): string {
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
