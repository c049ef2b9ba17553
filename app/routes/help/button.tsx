import { Link, useLocation } from 'react-router';
import { HELP_LINK_PROPS, HelpLinkContent } from '#app/ui/layout/help-link.tsx';
import { onDemand } from '#app/ui/lazy.tsx';
import type { HelpUser } from './support-form.tsx';

export const HelpDialog = onDemand(async () => (await import('./dialog.tsx')).HelpDialog);

/** Our own parameters are shorter; longer ones are dropped. */
const VALUE_CHARACTERS = 100;

function openHelp(search: string): string {
  const kept = [...new URLSearchParams(search)].filter(([, value]) => value.length <= VALUE_CHARACTERS);
  const query = new URLSearchParams(kept);
  if (!query.has('help')) query.set('help', 'support');
  return `?${query}`;
}

export function HelpButton({ asker }: { asker: HelpUser }) {
  const { search } = useLocation();
  const isOpen = /[?&]help=/.test(search);
  return (
    <>
      <Link to={openHelp(search)} preventScrollReset {...HELP_LINK_PROPS}>
        <HelpLinkContent />
      </Link>
      {isOpen && <HelpDialog asker={asker} />}
    </>
  );
}
