import { ACCOUNT_CONTROLS } from './accounts.ts';
import type { Control } from './control.ts';
import { OUTSIDE_CONTROLS } from './outside.ts';
import { PAGE_CONTROLS } from './pages.ts';
import { PAYMENT_CONTROLS } from './payments.ts';
import { PRODUCT_CONTROLS } from './product.ts';
import { PUBLISHING_CONTROLS } from './publishing.ts';

/** Each takes one control away, and something must turn red. What costs a build comes last. */
export const CONTROLS: Control[] = [
  ...ACCOUNT_CONTROLS,
  ...PAYMENT_CONTROLS,
  ...OUTSIDE_CONTROLS,
  ...PRODUCT_CONTROLS,
  ...PUBLISHING_CONTROLS,
  ...PAGE_CONTROLS,
];
