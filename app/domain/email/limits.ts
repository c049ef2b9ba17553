/** What people can choose not to be mailed about. */
export const MAIL_CHOICES = ['schedule', 'topics', 'reminders'] as const;

/** How long it is kept that somebody without an account was mailed: as long as the links in those mails work. */
export const MAIL_KEPT_DAYS = 60;
/** How long it is kept that an account was mailed: as long as that a link in the mail was opened. */
export const ACCOUNT_MAIL_KEPT_DAYS = 180;
