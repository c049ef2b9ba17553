/** How long before the permission of LinkedIn ends a mail goes out; the first of them also begins the banner. */
export const WARN_BEFORE_DAYS = [10, 3, 1] as const;
