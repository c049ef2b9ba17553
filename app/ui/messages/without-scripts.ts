import { createContext, type ReactNode } from 'react';

/** Around a page that failed before its data came or that answers a form: it is sent without scripts. */
export const FailedResponse = createContext<{
  /** What was typed into the form, to send it again. */
  typed: ReactNode;
} | null>(null);
