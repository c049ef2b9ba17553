/** Forms that open at a post of a list: `?NAME=ID`. */
export const OPEN_FORMS = ['edit', 'acknowledge', 'numbers'] as const;
export type OpenForm = (typeof OPEN_FORMS)[number];
