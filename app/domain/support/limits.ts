/** What a request can be about, in the words of every page; a check constraint knows the same. */
export const TICKET_CATEGORIES = {
  general: 'General',
  technical: 'Technical',
  billing: 'Billing',
  feature_request: 'Feature request',
  bug_report: 'Bug report',
  other: 'Other',
};
export type TicketCategory = keyof typeof TICKET_CATEGORIES;
/** Where a request stands, in the words of every page; a check constraint knows the same. */
export const TICKET_STATUSES = {
  open: 'Open',
  in_progress: 'In progress',
  resolved: 'Resolved',
  closed: 'Closed',
};
export type TicketStatus = keyof typeof TICKET_STATUSES;
export const TICKET_SUBJECT_MAX = 150;
/** In letters of three bytes it still fits into the bytes that a public form may have. */
export const TICKET_MESSAGE_MAX = 2_500;
export const TICKET_REPLY_MAX = 5_000;
/** What who asked may write in one thread, in messages. */
export const TICKET_REPLIES_MAX = 200;
/** What admins save to begin answers from, and how long its title can be. */
export const SAVED_REPLIES_MAX = 50;
export const SAVED_REPLY_TITLE_MAX = 80;
/** Within which we promise to answer. */
export const ANSWERED_WITHIN_HOURS = 24;
/** How long the link in a mail opens its thread for who has no account. */
export const TICKET_LINK_DAYS = 60;
/** How long what was asked without an account is kept after the last word in it. */
export const TICKET_KEPT_DAYS = 365;
/** New requests of an hour that admins are mailed one by one. */
export const TICKETS_MAILED_AN_HOUR = 30;
/** Of what is searched for, among requests and among answers. */
export const TICKET_SEARCH_MAX = 100;
