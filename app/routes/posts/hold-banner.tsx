import { ButtonLink } from '#app/ui/button.tsx';
import { SAID } from '#app/ui/kept-focus.ts';
import { Banner } from '#app/ui/page.tsx';
import type { Hold } from './holds.ts';

/** Why posts do not go out, with the one thing that helps. */
export const HoldBanner = ({ hold, className }: { hold: Hold; className?: string }) => (
  <Banner
    tone="warning"
    className={className}
    action={
      hold.to && (
        <ButtonLink to={hold.to} size="sm" variant="secondary">
          {hold.label}
        </ButtonLink>
      )
    }
  >
    <span {...SAID}>{hold.text}</span>
  </Banner>
);
