export const MAIL_CHOICES = ['schedule', 'topics', 'reminders'] as const;

/** How long mails to addresses without an account are stored: as long as their links work. */
export const MAIL_RETENTION_DAYS = 60;
/** How long mails to accounts are stored: as long as opened links are recorded. */
export const ACCOUNT_MAIL_RETENTION_DAYS = 180;
