export const TICKET_CATEGORIES = {
  general: 'General',
  technical: 'Technical',
  billing: 'Billing',
  feature_request: 'Feature request',
  bug_report: 'Bug report',
  other: 'Other',
};
export type TicketCategory = keyof typeof TICKET_CATEGORIES;
export const TICKET_STATUSES = {
  open: 'Open',
  in_progress: 'In progress',
  resolved: 'Resolved',
  closed: 'Closed',
};
export type TicketStatus = keyof typeof TICKET_STATUSES;
export const TICKET_SUBJECT_MAX = 150;
/** With three-byte characters it fits into the size limit of public forms. */
export const TICKET_MESSAGE_MAX = 2_500;
export const TICKET_REPLY_MAX = 5_000;
export const TICKET_REPLIES_MAX = 200;
export const SAVED_REPLIES_MAX = 50;
export const SAVED_REPLY_TITLE_MAX = 80;
export const RESPONSE_HOURS = 24;
/** How long a mailed link opens the thread without signing in. */
export const TICKET_LINK_DAYS = 60;
/** How long requests without an account are stored after the last reply. */
export const TICKET_RETENTION_DAYS = 365;
/** Above this number of requests in an hour, admins get one summary mail. */
export const TICKET_MAILS_PER_HOUR = 30;
export const TICKET_SEARCH_MAX = 100;
