/** Forms that open at a post of a list: `?NAME=ID`. */
export const OPEN_FORMS = ['edit', 'acknowledge', 'numbers'] as const;
export type OpenForm = (typeof OPEN_FORMS)[number];

/** In the address of an edit form that is saved while somebody writes in it. */
export const BY_ITSELF = 'auto';
/** In the address of an edit form that asks for a description of its picture, and saves nothing. */
export const SUGGEST = 'suggest';
