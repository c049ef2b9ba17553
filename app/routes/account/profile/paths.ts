export const PROFILE = '/app/account';

/** The address that shows a form of the profile open, and that the form posts to. */
export const formAt = (form: string, card: string) => `${PROFILE}?form=${form}#${card}`;
