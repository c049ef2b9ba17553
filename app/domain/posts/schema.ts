import { z } from 'zod';
import { commaList, optionalText, requiredText, text } from '#app/domain/platform/input-schema.ts';
import {
  ALT_TEXT_MAX,
  BAR_REASON_MAX,
  ENGAGEMENT_MAX,
  HASHTAG_LENGTH_MAX,
  HASHTAGS_MAX,
  IMAGE_URL_MAX,
  POST_LINK_MAX,
  POST_MAX,
} from './limits.ts';

const hashtagList = commaList('hashtags', HASHTAGS_MAX, HASHTAG_LENGTH_MAX)
  .transform((tags) => [...new Set(tags.map((tag) => tag.replace(/^#+/, '')))])
  .refine(
    (tags) => tags.every((tag) => /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u.test(tag)),
    'Hashtags can have letters and digits only',
  );

const imageUrl = z
  .union([
    z.literal('').transform(() => null),
    z.null(),
    z
      .string()
      .trim()
      .max(IMAGE_URL_MAX, 'Invalid image URL')
      .refine(
        // URL parsing ignores control characters, but they would be stored.
        (value) => !/\p{Cc}|\p{Cs}/u.test(value) && URL.canParse(value) && /^https?:\/\//i.test(value),
        'Invalid image URL',
      ),
  ])
  .optional();

const altText = text('The picture description', ALT_TEXT_MAX)
  .transform((value) => value || null)
  .nullable()
  .optional();

/** Omitted fields keep their values. */
export const PostChange = z.object({
  content: requiredText('The post', POST_MAX, 'Please write something').optional(),
  imageUrl,
  altText,
  hashtags: hashtagList.optional(),
});
export type PostChange = z.output<typeof PostChange>;

/** An empty field of the form removes the value. */
export const PostForm = z.object({
  content: requiredText('The post', POST_MAX, 'Please write something'),
  imageUrl: imageUrl.transform((url) => url ?? null),
  altText: altText.transform((value) => value ?? null),
  hashtags: hashtagList.default([]),
  /** The revision that the form was loaded with. Without it concurrent edits are not detected. */
  revision: z.coerce
    .number({ error: 'This page is out of date. Please open it again' })
    .int('This page is out of date. Please open it again')
    .optional(),
});

export const PictureInput = z.object({
  content: z
    .string()
    .default('')
    .transform((text) => text.slice(0, POST_MAX).toWellFormed()),
  imageUrl: imageUrl.transform((url, ctx) => {
    if (url) return url;
    ctx.addIssue('Please give the address of the picture first');
    return z.NEVER;
  }),
});
export type PictureInput = z.output<typeof PictureInput>;

export const Acknowledgement = z.object({ link: optionalText('The link', POST_LINK_MAX) });

/** Also grouped as on LinkedIn: "1,204", "1 204", "1,20,400". */
const WHOLE_NUMBER = /^(?:\d*|\d{1,3}(?:[,\s]\d{2,3})*[,\s]\d{3})$/;

const count = (name: string) =>
  z
    .string()
    .trim()
    .regex(WHOLE_NUMBER, `${name} must be a whole number, 0 or more`)
    .transform((value) => value.replace(/[,\s]/g, ''))
    .refine((digits) => Number(digits) <= ENGAGEMENT_MAX, {
      message: `${name} can be at most ${ENGAGEMENT_MAX.toLocaleString('en')}`,
      when: ({ issues }) => issues.length === 0,
    })
    .optional()
    .transform((digits) => (digits ? Number(digits) : null));

export const EngagementForm = z
  .object({
    likes: count('Likes'),
    comments: count('Comments'),
    shares: count('Shares'),
    impressions: count('Impressions'),
  })
  .refine((counts) => Object.values(counts).some((number) => number !== null), {
    message: 'Please type in at least one number',
    path: ['likes'],
  });
export type EngagementForm = z.output<typeof EngagementForm>;

export const BarInput = z.object({
  reason: requiredText('The reason', BAR_REASON_MAX, 'Please give a reason'),
});
