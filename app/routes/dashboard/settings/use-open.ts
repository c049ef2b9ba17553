import { useEffect, useRef, useState } from 'react';
import { type NavigationType, useNavigationType, useSearchParams } from 'react-router';
import type { DashboardData } from '#app/routes/dashboard/load.ts';

/** Whether the open form of the settings stays open when the address of its page changes: not by Back, nor by "Close". */
export const staysOpen = (query: URLSearchParams, how: `${NavigationType}`) =>
  query.get('settings') === '' || (!query.has('settings') && how !== 'POP');

/** What the form shows while it is open, whatever else is done on the page. */
export function useOpenForm(form: DashboardData['form']) {
  const [query] = useSearchParams();
  const how = useNavigationType();
  const [kept, setKept] = useState(form);
  const open = form ?? (staysOpen(query, how) ? kept : null);
  if (open !== kept) setKept(open);
  const wasOpen = useRef(open !== null);
  const isNew = open !== null && !wasOpen.current;
  useEffect(() => {
    wasOpen.current = open !== null;
  }, [open]);
  return open && { ...open, isNew };
}
