/** For so long the address of a visit is kept whole, and the visit at all. */
export const VISIT_ADDRESS_DAYS = 30;
export const VISIT_DAYS = 180;
