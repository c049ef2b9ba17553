/** For so long the address of a visit is kept whole, and the visit at all. */
export const VISIT_ADDRESS_DAYS = 30;
export const VISIT_DAYS = 180;
/** For so long it is kept who opened a link of a mail, and when. */
export const CLICK_DAYS = 180;
