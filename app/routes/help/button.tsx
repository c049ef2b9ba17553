import { Link, useLocation } from 'react-router';
import { HELP_LOOK, HelpWords } from '#app/ui/layout/help-link.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import type { CodeRequester } from './support-form.tsx';

export const HelpDialog = onDemand(async () => (await import('./dialog.tsx')).HelpDialog);

/** What a query of ours may say; nothing longer is said again. */
const LONGEST = 100;

/** The page that is there with its help open. */
function helpAt(search: string): string {
  const said = [...new URLSearchParams(search)].filter(([, value]) => value.length <= LONGEST);
  const asked = new URLSearchParams(said);
  if (!asked.has('help')) asked.set('help', 'support');
  return `?${asked}`;
}

/** In the same place on every page: help, as a dialog of the page that is there. */
export function HelpButton({ asker }: { asker: CodeRequester }) {
  const { search } = useLocation();
  const isOpen = /[?&]help=/.test(search);
  return (
    <>
      <Link to={helpAt(search)} preventScrollReset {...HELP_LOOK}>
        <HelpWords />
      </Link>
      {isOpen && <HelpDialog asker={asker} />}
    </>
  );
}
