import { z } from 'zod';
import { NAME_MAX } from '#app/domain/accounts/limits.ts';
import { address } from '#app/domain/accounts/schema.ts';
import { requiredText } from '#app/domain/platform/input-schema.ts';
import {
  SAVED_REPLY_TITLE_MAX,
  TICKET_CATEGORIES,
  TICKET_MESSAGE_MAX,
  TICKET_REPLY_MAX,
  TICKET_STATUSES,
  TICKET_SUBJECT_MAX,
  type TicketCategory,
  type TicketStatus,
} from './limits.ts';

const CATEGORIES = Object.keys(TICKET_CATEGORIES) as TicketCategory[];
const STATUSES = Object.keys(TICKET_STATUSES) as TicketStatus[];

const line = (name: string, max: number, missing: string) =>
  requiredText(name, max, missing).transform((value) => value.replace(/\s+/g, ' '));

const message = (max: number) => requiredText('The message', max, 'Please write a message');

export const TicketInput = z.object({
  name: line('The name', NAME_MAX, 'Please enter your name'),
  email: address('Please enter your email'),
  category: z.enum(CATEGORIES, { error: 'Please choose from the list what it is about' }).default('general'),
  subject: line('The subject', TICKET_SUBJECT_MAX, 'Please enter a subject'),
  message: message(TICKET_MESSAGE_MAX),
});
export type TicketInput = z.output<typeof TicketInput>;

export const TicketReply = z.object({ message: message(TICKET_REPLY_MAX) });
export type TicketReply = z.output<typeof TicketReply>;

export const SavedReplyInput = z.object({
  title: line('The title', SAVED_REPLY_TITLE_MAX, 'Please enter a title'),
  message: message(TICKET_REPLY_MAX),
});
export type SavedReplyInput = z.output<typeof SavedReplyInput>;

export const ticketStatus = z.enum(STATUSES, { error: 'Please choose a status from the list' });
export const TicketStatusInput = z.object({ status: ticketStatus });
