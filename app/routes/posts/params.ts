/** Forms that open inside a post of a list: `?NAME=POST_ID`. */
export const OPEN_FORMS = ['edit', 'acknowledge', 'numbers'] as const;
export type OpenForm = (typeof OPEN_FORMS)[number];

/** In the action URL of an edit form that saves automatically. */
export const AUTOSAVE = 'auto';
/** In the action URL of an edit form that requests a picture description and saves nothing. */
export const SUGGEST = 'suggest';
