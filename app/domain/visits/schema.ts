import { z } from 'zod';
import { EMAIL_MAX } from '#app/domain/accounts/limits.ts';

/** Our own pages stay far below these limits. */
const PATHNAME_MAX = 2_000;
export const SESSION_ID_MAX = 100;
const LANGUAGE_MAX = 35;
const SCREEN_MAX = 100_000;

const pixels = z.int().min(0).max(SCREEN_MAX).nullish();

const text = z.string().max(PATHNAME_MAX);

/** The parameters of a link in a mail, sent by a client that followed it. */
export const ClickInput = z.object({
  email: z
    .string({ error: 'Say whose mail it was' })
    .trim()
    .toLowerCase()
    .max(EMAIL_MAX)
    .regex(/^[^\s\0@]+@[^\s\0@]+$/, 'This is no e-mail address'),
  source: z.literal('email', { error: 'The source is email' }),
  campaign: text.nullish(),
  ts: z.union([text, z.number()]).nullish(),
  page: text.nullish(),
});

export const VisitInput = z.object({
  pathname: z
    .string({ error: 'Say which page it is' })
    .max(PATHNAME_MAX, `A path has at most ${PATHNAME_MAX} characters`)
    .regex(/^\/[^\0]*$/, 'A path begins with /'),
  sessionId: z
    .string({ error: 'Say which session it is' })
    .regex(/^[\x21-\x7e]+$/, 'A session has visible characters')
    .max(SESSION_ID_MAX, `A session has at most ${SESSION_ID_MAX} characters`),
  screenWidth: pixels,
  screenHeight: pixels,
  language: z.string().max(LANGUAGE_MAX, 'A language is a tag such as en-GB').nullish(),
  isReturningVisitor: z.boolean().nullish(),
});
export type Visit = z.output<typeof VisitInput>;
export type Click = z.output<typeof ClickInput>;
