import { PROFILE } from '#app/routes/account/profile/paths.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FORM_OPENER } from '#app/ui/layout/focus.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';

type OpenLinkProps = { form: string; card: string; children: string };

/** Without scripts a new page begins at the card; with them nothing moves. */
const useAnchor = (card: string) => (useHydrated() ? '' : `#${card}`);

/** Opens the form of a card, in its place. */
export function OpenLink({ form, card, children }: OpenLinkProps) {
  const to = `?form=${form}${useAnchor(card)}`;
  return (
    <ButtonLink to={to} preventScrollReset variant="secondary" size="sm" {...FORM_OPENER}>
      {children}
    </ButtonLink>
  );
}

/** Closes it. Nothing is changed. */
export function CloseLink({ card }: { card: string }) {
  const to = PROFILE + useAnchor(card);
  return (
    <ButtonLink to={to} preventScrollReset variant="ghost">
      Cancel
    </ButtonLink>
  );
}

/** Where a form of the profile is sent. */
export const useFormAt = (form: string, card: string) => `${PROFILE}?form=${form}${useAnchor(card)}`;
