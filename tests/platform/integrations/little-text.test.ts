import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  commentaryLength,
  commentaryOf,
  escapeLittleText,
  parseLittleText,
} from '#app/integrations/linkedin/little-text.ts';
import { SEED } from '#tests/harness/seed.ts';

const RESERVED = [...'\\|{}@[]()<>#*_~'];
const unescaped = (text: string) => text.replace(/\\([\\|{}@[\]()<>#*_~])/g, '$1');
/** What is left when every escaped character and every hashtag is taken out. */
const bare = (text: string) => text.replace(/\\[\\|{}@[\]()<>#*_~]|#[\p{L}\p{N}]+/gu, '');

const spiky = fc.string({ unit: fc.constantFrom(...RESERVED, 'a', 'B', '7', ' ', '\n', 'é', '🚀', '-') });
const tags = fc.array(fc.stringMatching(/^[a-zA-Z0-9]{1,8}$/), { maxLength: 5 });

test('each of the 15 reserved characters is escaped once', () => {
  assert.equal(RESERVED.length, 15);
  for (const character of RESERVED) assert.equal(escapeLittleText(character), `\\${character}`);
  assert.equal(escapeLittleText('a-b.c!+=&%"é🚀漢\n\nd'), 'a-b.c!+=&%"é🚀漢\n\nd');
});

test('an escaped text reads as it was', () => {
  fc.assert(
    fc.property(spiky, (text) => unescaped(escapeLittleText(text)) === text),
    { numRuns: 2_000, seed: SEED },
  );
});

test('nothing reserved stands unescaped outside a hashtag', () => {
  fc.assert(
    fc.property(spiky, tags, (content, hashtags) => {
      assert.doesNotMatch(bare(commentaryOf(content, hashtags)), /[\\|{}@[\]()<>#*_~]/);
    }),
    { numRuns: 2_000, seed: SEED },
  );
});

test('each hashtag stands in the text as a hashtag, once', () => {
  const sentence = fc.array(fc.constantFrom('#ai', '#Work', 'ai', 'C#ai', '(#ai)', '#aixyz', '\n'), {
    maxLength: 12,
  });
  fc.assert(
    fc.property(sentence, (words) => {
      const sent = commentaryOf(words.join(' '), ['ai', 'AI', 'work']);
      const tail = sent.split('\n\n').at(-1)!;
      for (const tag of ['ai', 'work']) {
        const found = sent.match(new RegExp(`(?<!\\\\)#${tag}(?![a-z])`, 'gi')) ?? [];
        const own = words.filter((word) => new RegExp(`^\\(?#${tag}\\)?$`, 'i').test(word)).length;
        assert.equal(found.length, Math.max(1, own), sent);
        assert.equal(new RegExp(`#${tag}(?![a-z])`, 'i').test(tail) && own === 0, own === 0);
      }
    }),
  );
});

test('hashtags follow a blank line, and # is literal where it makes none of them', () => {
  const sent = commentaryOf('We are #1 (in C#) and love #ai', ['ai', 'deep learning', '#growth', '--']);
  assert.equal(sent, 'We are \\#1 \\(in C\\#\\) and love #ai\n\n#deeplearning #growth');
});

test('a hashtag is known in any case, after an emoji and with marks, not inside an address', () => {
  assert.equal(commentaryOf('🚀#AI!', ['ai']), '🚀#AI!');
  assert.equal(commentaryOf('see https://x.example/#ai', ['ai']), 'see https://x.example/\\#ai\n\n#ai');
  assert.equal(commentaryOf('#ai_first #ai-first', ['ai']), '\\#ai\\_first \\#ai-first\n\n#ai');
  assert.equal(commentaryOf('x', ['हिंदी', '\u0301']), 'x\n\n#हिंदी');
});

test('a post of hashtags alone and one without any have no stray lines', () => {
  assert.equal(commentaryOf('', ['ai']), '#ai');
  assert.equal(commentaryOf('Text\n', []), 'Text');
});

test('the length is that of the escaped whole in UTF-16 units', () => {
  assert.equal(commentaryLength('(🚀)', ['ai']), '\\(🚀\\)\n\n#ai'.length);
});

test('what is shown of a post is what goes out, without the escapes', () => {
  fc.assert(
    fc.property(spiky, tags, (content, hashtags) => {
      const parts = parseLittleText(content, hashtags);
      const again = parts.map(({ text, isHashtag }) => (isHashtag ? text : escapeLittleText(text)));
      assert.equal(again.join(''), commentaryOf(content, hashtags));
    }),
    { numRuns: 2_000, seed: SEED },
  );
  const read = parseLittleText('First line\n\nC#sharp [draft] and #ai, #not', ['AI', 'हिन्दी']);
  assert.deepEqual(read, [
    { text: 'First line\n\nC#sharp [draft] and ', isHashtag: false },
    { text: '#ai', isHashtag: true },
    { text: ', #not\n\n', isHashtag: false },
    { text: '#हिन्दी', isHashtag: true },
  ]);
});
