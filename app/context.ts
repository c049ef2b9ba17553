import { createContext } from 'react-router';
import type { ShellState } from '#app/domain/pages/shell.ts';
import type { Actor } from '#app/domain/platform/actor.ts';
import type { Refusal } from '#app/domain/platform/refusal.ts';

export type FlashTone = 'success' | 'error' | 'info';
/** A button in the message: it posts these fields to `to`, a path of the app. */
export type FlashAction = { label: string; to: string; fields: Record<string, string> };
export type FlashMessage = {
  id: string;
  tone: FlashTone;
  text: string;
  /** The URL of the form whose result this is. */
  formAction?: string | undefined;
  /** Also shown inline: in the card with this id, or above the page for 'page'. */
  at?: string | undefined;
  /** A page on LinkedIn that an inline message links to. */
  href?: string | undefined;
  action?: FlashAction | undefined;
};

export type Viewer = {
  actor: Actor;
  sessionId: string;
  reauthenticatedAt: Date | null;
  requestedAt: Date;
  /** What the layout and the page both show, loaded once per request: see `shellOf`. */
  shell?: Promise<ShellState>;
};

export const requestIdContext = createContext<string>('');
export const nonceContext = createContext<string>('');
/** Set for a page that may be cached: how often the cache was cleared before it was rendered, see page-cache.ts. */
export const sharedPageContext = createContext<number | null>(null);
/** CSP sources of a page's inline scripts, when its policy has hashes in place of a nonce. */
export const scriptHashesContext = createContext<string[] | null>(null);
export const viewerContext = createContext<Viewer | null>(null);
/** Why this request may change nothing: `submit` and `press` show it at the form or button. */
export const refusalContext = createContext<Refusal | null>(null);
/** Set by `formMiddleware`. */
export const formContext = createContext<FormData | null>(null);
/** Reads the fields of this request's form for an error page. */
export const sentFormContext = createContext<(() => Promise<[name: string, value: string][]>) | null>(null);
export const databaseUnavailableContext = createContext(false);
export const flashContext = createContext<{
  pending: FlashMessage[];
  /** The URL of this request's form. */
  formAction?: string | undefined;
  areShown: boolean;
}>({
  pending: [],
  areShown: false,
});
