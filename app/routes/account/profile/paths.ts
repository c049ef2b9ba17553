export const PROFILE = '/app/account';

/** Where a form of the profile is sent, which is where it stands open, too. */
export const formAt = (form: string, card: string) => `${PROFILE}?form=${form}#${card}`;
