/** What people can choose not to be mailed about. */
export const MAIL_CHOICES = ['schedule', 'topics', 'reminders'] as const;
