import type { Hold } from '#app/routes/posts/holds.ts';
import { RESULT_MESSAGE } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';

export const HoldBanner = ({ hold }: { hold: Hold }) => (
  <Banner tone="warning">
    <span {...RESULT_MESSAGE}>{hold.text}</span>
  </Banner>
);
