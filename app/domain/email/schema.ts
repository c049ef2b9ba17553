import { z } from 'zod';
import { MAIL_CHOICES } from './limits.ts';

const WRONG = 'Please choose from the list';

export const MailsForm = z.object({
  wanted: z.array(z.enum(MAIL_CHOICES, WRONG), WRONG).max(MAIL_CHOICES.length, WRONG).default([]),
});
