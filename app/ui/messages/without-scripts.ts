import { createContext, type ReactNode } from 'react';

/** Set around an error page without scripts: one that responds to a form, or that failed before its data was loaded. */
export const FailedResponse = createContext<{
  typed: ReactNode;
} | null>(null);
