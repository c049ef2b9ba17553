import { SAID } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import type { Hold } from './holds.ts';

/** Why a post does not go out. */
export const HoldBanner = ({ hold }: { hold: Hold }) => (
  <Banner tone="warning">
    <span {...SAID}>{hold.text}</span>
  </Banner>
);
