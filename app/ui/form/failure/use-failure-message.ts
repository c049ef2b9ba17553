import type { FormEvent } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { reportError } from './client-errors.ts';
import { type FormFailureReason, registerSubmission } from './client-middleware.ts';

export type FailureProps = {
  /** For example `Failed to save topic`. */
  failure: string;
  /** Sending the form again would repeat its effect. */
  isOnce?: boolean | undefined;
};

const UNREACHED = 'Nobody answered. Try again in a moment, or load the page again.';
const ADVICE: Record<FormFailureReason, string> = {
  offline: UNREACHED,
  unreached: UNREACHED,
  fault: 'The fault is on our side. Try again in a minute.',
};

const messageOf = ({ failure, isOnce }: FailureProps, reason: FormFailureReason, refusal?: string) =>
  refusal ??
  `${failure}. ${isOnce && reason !== 'offline' ? 'It may have arrived: look before you do it again.' : ADVICE[reason]}`;

function urlOf(form: HTMLFormElement, button?: HTMLElement | null): URL {
  const url = new URL(form.getAttribute('action') ?? '', location.href);
  if (form.method === 'get') {
    url.search = String(new URLSearchParams(new FormData(form, button) as unknown as Record<string, string>));
  }
  return url;
}

/** Call in the `onSubmit` of a switch: shows an error on its page if it fails. Without a connection it is not sent. */
export function registerSwitch(event: FormEvent<HTMLFormElement>, props: FailureProps) {
  const url = urlOf(event.currentTarget);
  if (!registerSubmission(url, (...why) => reportError(messageOf(props, ...why), url, 'page'), 'switch'))
    event.preventDefault();
}

/**
 * Returns a function that registers a navigation. If it gets no response, the current page stays and `show` receives the
 * error message. The function returns false without a connection: then do not navigate.
 */
export function useRegisterNavigation(props: FailureProps, show: (message: string) => void) {
  const navigate = useNavigate();
  const current = useLocation();
  return (url: URL) =>
    registerSubmission(url, async (...why) => {
      // Ends the pending navigation, and revalidates the current page.
      if (why[0] !== 'offline')
        await navigate(current, { replace: true, preventScrollReset: true, state: current.state });
      const message = messageOf(props, ...why);
      show(message);
      reportError(message, url);
    });
}

export function useRegisterForm(props: FailureProps, show: (message: string) => void) {
  const register = useRegisterNavigation(props, show);
  return (form: HTMLFormElement, button: HTMLElement | null) => register(urlOf(form, button));
}
