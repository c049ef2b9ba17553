/** The form whose buttons stand at the open slots of the calendar. */
export const FILL = 'fill-slot';
