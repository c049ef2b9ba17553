/** Mails go out so many days before the permission ends; a banner appears with the first. */
export const WARN_BEFORE_DAYS = [10, 3, 1] as const;
