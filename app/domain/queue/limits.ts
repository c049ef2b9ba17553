/** After LinkedIn was connected again, before missed posts take the next free slots by themselves. */
export const CHOOSE_WITHIN_DAYS = 3;
