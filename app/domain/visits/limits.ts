/** How long the whole address of a visit is stored, and the visit itself. */
export const VISIT_ADDRESS_DAYS = 30;
export const VISIT_DAYS = 180;
export const CLICK_DAYS = 180;
