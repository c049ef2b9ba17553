import { HASHTAG_LENGTH_MAX, HOOK_LINES, HOOK_MAX, POST_MAX } from '#app/domain/posts/limits.ts';
import { fold } from '#app/domain/writing/gates/language/word-forms.ts';
import { commentaryLength } from '#app/integrations/linkedin/little-text.ts';
import type { Gate } from './gate.ts';

const LENGTH = { min: 200, max: 2_800 };
const HASHTAGS = { min: 3, max: 5 };
/** Characters in a line of LinkedIn's feed. */
const LINE_WIDTH = 70;

/** Characters that can't be stored, change the reading direction, or replace a broken letter. */
const UNREADABLE =
  /(?![\n\t])\p{Cc}|[\p{Cs}\p{Co}\u2028\u2029\u202a-\u202e\u2066-\u2069\ufffd\u{e0000}-\u{e007f}]/u;

const characters: Gate = {
  name: 'characters',
  find: ({ content, draft }) =>
    UNREADABLE.test(content) || draft.hashtags.some((tag) => UNREADABLE.test(tag))
      ? {
          forWriter: 'It holds control characters or broken letters; write plain text.',
          forUser: 'It held characters that cannot be shown',
        }
      : undefined,
};

const length: Gate = {
  name: 'length',
  find: ({ content, draft }) => {
    const count = commentaryLength(content, draft.hashtags);
    if (content.length < LENGTH.min) {
      return {
        forWriter: `It has ${content.length} characters; at least ${LENGTH.min} are needed.`,
        forUser: 'It was too short to say anything',
      };
    }
    if (content.length <= LENGTH.max && count <= POST_MAX) return undefined;
    return {
      forWriter: `It has ${count} characters as LinkedIn counts them; at most ${LENGTH.max} are allowed.`,
      forUser: 'It was longer than LinkedIn takes',
    };
  },
};

/** As in the form for hashtags: letters with their marks, and digits. */
const HASHTAG = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}]*$/u;
const isHashtag = (tag: string) =>
  tag.length <= HASHTAG_LENGTH_MAX && HASHTAG.test(tag) && !/^\p{N}+$/u.test(tag);

const hashtags: Gate = {
  name: 'hashtags',
  find: ({ draft }) => {
    const tags = draft.hashtags.map(fold);
    const isValid =
      tags.length >= HASHTAGS.min &&
      tags.length <= HASHTAGS.max &&
      new Set(tags).size === tags.length &&
      draft.hashtags.every(isHashtag);
    return isValid
      ? undefined
      : {
          forWriter: `Give ${HASHTAGS.min} to ${HASHTAGS.max} different hashtags of letters and digits, without the # sign.`,
          forUser: 'Its hashtags were missing, doubled or too many',
        };
  },
};

const hashtagsInside: Gate = {
  name: 'hashtags-inside',
  find: ({ content }) =>
    /(?:^|[\s(])#[\p{L}\p{N}]*\p{L}/u.test(content)
      ? {
          forWriter: 'Leave hashtags out of the text; give them separately.',
          forUser: 'It had hashtags inside the text',
        }
      : undefined,
};

/** Whether the opening fits above "…more", with lines as LinkedIn breaks them. */
function isAboveFold(opening: string): boolean {
  const lines = opening
    .split('\n')
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / LINE_WIDTH)), 0);
  return opening.length <= HOOK_MAX && lines <= HOOK_LINES;
}

const hook: Gate = {
  name: 'hook',
  find: ({ paragraphs: [opening = ''] }) => {
    // Only the first sentence has to fit above the fold.
    const first =
      /^[\s\S]*?[.!?…।。！？:\p{Extended_Pictographic}](?=["'”“»«›’‘)]?(?:\s|$))|^[^\n]+/u.exec(
        opening,
      )?.[0] ?? opening;
    return isAboveFold(first)
      ? undefined
      : {
          forWriter: `The first sentence is cut at the fold; it may have ${HOOK_MAX} characters on ${HOOK_LINES} lines.`,
          forUser: 'Its first sentence was too long to stand above “…more”',
        };
  },
};

export const SHAPE_GATES: Gate[] = [characters, length, hashtags, hashtagsInside, hook];
