import { createContext } from 'react-router';
import type { ShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { Refusal } from '#app/domain/platform/refusal.ts';

export type FlashTone = 'success' | 'error' | 'info';
/** What can be done about a notice: a form with these fields, sent to an address of ours. */
export type FlashAction = { label: string; to: string; fields: Record<string, string> };
/**
 * `at`: it also stands in the page, at the card with this id or, as 'page', above everything, with a way to what it
 * is about at LinkedIn (`href`). `of`: where the form was sent of which it tells what became.
 */
export type FlashMessage = {
  id: string;
  tone: FlashTone;
  text: string;
  of?: string | undefined;
  at?: string | undefined;
  href?: string | undefined;
  action?: FlashAction | undefined;
};

/** A signed-in browser: who it is, the session row that says so, when it proved that last, and when its request came. */
export type Viewer = {
  actor: Actor;
  sessionId: string;
  provedAt: Date | null;
  requestedAt: Date;
  /** What the layout and the page both show, loaded once per request: see `shellOf`. */
  shell?: Promise<ShellState>;
};

export const requestIdContext = createContext<string>('');
export const nonceContext = createContext<string>('');
/** Set for a page that is the same for all visitors: how often kept pages had been forgotten before, see http/server/page-cache.ts. */
export const sharedPageContext = createContext<number | null>(null);
/** The sources of the scripts of a page whose policy has no nonce. */
export const scriptHashesContext = createContext<string[] | null>(null);
export const viewerContext = createContext<Viewer | null>(null);
/** Why nothing may be changed now: `submit` and `press` answer it where the form or the button stands. */
export const refusalContext = createContext<Refusal | null>(null);
/** The form of this request, once `takeForm` has read and checked it. */
export const formContext = createContext<FormData | null>(null);
/** Reads what the form of this request says, once its page has failed. */
export const sentFormContext = createContext<(() => Promise<[name: string, value: string][]>) | null>(null);
/** Whether something failed because the database could not be reached. */
export const databaseUnavailableContext = createContext(false);
/** Notices to show in the next page that is rendered, where the form of this request was sent, and whether a page has shown them. */
export const flashContext = createContext<{
  pending: FlashMessage[];
  of?: string | undefined;
  areShown: boolean;
}>({
  pending: [],
  areShown: false,
});
