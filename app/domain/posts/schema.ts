import { z } from 'zod';
import { commaList, requiredText } from '../input-schema.ts';

/** The network's limit in UTF-16 units, counted with the escapes. */
export const POST_MAX = 3_000;
const HASHTAGS_MAX = 30;

export const hashtagList = commaList('hashtags', HASHTAGS_MAX, 100)
  .transform((tags) => [...new Set(tags.map((tag) => tag.replace(/^#+/, '')))])
  .refine(
    (tags) => tags.every((tag) => /^[\p{L}\p{N}]+$/u.test(tag)),
    'Hashtags can have letters and digits only',
  );

export const imageUrl = z
  .union([
    z.literal('').transform(() => null),
    z.null(),
    z
      .string()
      .trim()
      .max(2_000, 'Invalid image URL')
      .refine(
        // URL parsing drops control characters, which would still stand in what is stored.
        (value) => !/\p{Cc}|\p{Cs}/u.test(value) && URL.canParse(value) && /^https?:\/\//i.test(value),
        'Invalid image URL',
      ),
  ])
  .optional();

/** What changes in a post; a field left out stays as it is. */
export const PostChange = z.object({
  content: requiredText('The post', POST_MAX, 'Please write something').optional(),
  imageUrl,
  hashtags: hashtagList.optional(),
});
export type PostChange = z.output<typeof PostChange>;

/** The edit form: an empty field says that there is none. */
export const PostForm = z.object({
  content: requiredText('The post', POST_MAX, 'Please write something'),
  imageUrl: imageUrl.transform((url) => url ?? null),
  hashtags: hashtagList.default([]),
});
