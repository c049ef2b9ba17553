import { useEffect, useRef, useState } from 'react';
import { type NavigationType, useNavigationType, useSearchParams } from 'react-router';
import type { DashboardData } from '#app/routes/dashboard/load.ts';

/** Whether an open settings form stays open when the URL changes: not by Back, nor by "Close". */
export const staysOpen = (query: URLSearchParams, navigationType: `${NavigationType}`) =>
  query.get('settings') === '' || (!query.has('settings') && navigationType !== 'POP');

/** Returns the data of the open form, through other actions on the page; null while it is closed. */
export function useOpenForm(form: DashboardData['form']) {
  const [query] = useSearchParams();
  const navigationType = useNavigationType();
  const [lastForm, setLastForm] = useState(form);
  const open = form ?? (staysOpen(query, navigationType) ? lastForm : null);
  if (open !== lastForm) setLastForm(open);
  const wasOpen = useRef(open !== null);
  const isNew = open !== null && !wasOpen.current;
  useEffect(() => {
    wasOpen.current = open !== null;
  }, [open]);
  return open && { ...open, isNew };
}
