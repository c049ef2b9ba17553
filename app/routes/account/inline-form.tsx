import { PROFILE } from '#app/routes/account/profile/paths.ts';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { FORM_OPENER } from '#app/ui/layout/focus.ts';
import { useHydrated } from '#app/ui/use-hydrated.ts';

type OpenLinkProps = { form: string; card: string; children: string };

/** Without scripts the link loads a page, which has to open at the card. With scripts the page stays where it is. */
const useAnchor = (card: string) => (useHydrated() ? '' : `#${card}`);

export function OpenLink({ form, card, children }: OpenLinkProps) {
  const to = `?form=${form}${useAnchor(card)}`;
  return (
    <ButtonLink to={to} preventScrollReset variant="secondary" size="sm" {...FORM_OPENER}>
      {children}
    </ButtonLink>
  );
}

export function CloseLink({ card }: { card: string }) {
  return (
    <ButtonLink to={PROFILE + useAnchor(card)} preventScrollReset variant="ghost">
      Cancel
    </ButtonLink>
  );
}

export const useFormAt = (form: string, card: string) => `${PROFILE}?form=${form}${useAnchor(card)}`;
