import type { FormEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { reportError } from './client-errors.ts';
import { type FormFailureReason, registerSubmission } from './client-middleware.ts';

/** What is said of an act that got no answer. */
export type FailureProps = {
  /** That it failed, for example `Failed to save topic`. */
  failure: string;
  /** Doing it again would do it twice. */
  isOnce?: boolean | undefined;
};

const UNREACHED = 'Nobody answered. Try again in a moment, or load the page again.';
const NEXT: Record<FormFailureReason, string> = {
  offline: UNREACHED,
  unreached: UNREACHED,
  fault: 'The fault is on our side. Try again in a minute.',
};

const sentenceOf = ({ failure, isOnce }: FailureProps, lack: FormFailureReason, refusal?: string) =>
  refusal ??
  `${failure}. ${isOnce && lack !== 'offline' ? 'It may have arrived: look before you do it again.' : NEXT[lack]}`;

/** Where a form goes, with what it asks for. */
function addressOf(form: HTMLFormElement, button?: HTMLElement | null): URL {
  const to = new URL(form.getAttribute('action') ?? '', location.href);
  if (form.method === 'get') {
    to.search = String(new URLSearchParams(new FormData(form, button) as unknown as Record<string, string>));
  }
  return to;
}

/**
 * Registers a switch that is being sent: if it fails, an error appears on its page. Without a connection it is not
 * sent. Call it in `onSubmit`.
 */
export function registerSwitch(event: FormEvent<HTMLFormElement>, words: FailureProps) {
  const to = addressOf(event.currentTarget);
  if (!registerSubmission(to, (...why) => reportError(sentenceOf(words, ...why), to, 'page'), 'switch'))
    event.preventDefault();
}

/**
 * Returns a function that registers a navigation to a URL. If it gets no answer, the current page stays and `show`
 * receives the sentence to display. The function returns false when there is no connection: then do not navigate.
 */
export function useRegisterNavigation(words: FailureProps, show: (sentence: string) => void) {
  const navigate = useNavigate();
  const here = useLocation();
  return (to: URL) =>
    registerSubmission(to, async (...why) => {
      // Ends the navigation that was begun; the page is brought up to date on the way, if somebody answers.
      if (why[0] !== 'offline')
        await navigate(here, { replace: true, preventScrollReset: true, state: here.state });
      const sentence = sentenceOf(words, ...why);
      show(sentence);
      reportError(sentence, to);
    });
}

/** Like `useRegisterNavigation`, for a form that leads to a page. */
export function useRegisterForm(words: FailureProps, show: (sentence: string) => void) {
  const note = useRegisterNavigation(words, show);
  return (form: HTMLFormElement, button: HTMLElement | null) => note(addressOf(form, button));
}
