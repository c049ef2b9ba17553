import type { Gate } from './gate.ts';

/** Common top-level domains. A full stop without a space ("done.Next") must not look like a link. */
const TOP_LEVEL_DOMAINS =
  'com|org|net|io|ai|co|dev|app|info|biz|me|tv|xyz|shop|store|site|online|tech|cloud|blog|news|agency|link|ly|gl|gg|to|eu|de|at|ch|es|fr|it|nl|be|pt|pl|se|no|dk|fi|uk|ie|us|ca|au|nz|in|br|mx|ar|jp|cn|kr|ru|za|edu|gov|example|भारत|рф';
const LINK = new RegExp(
  `(?:https?|ftp):\\/\\/[^\\s<>"“”«»]+|(?<![\\p{L}\\p{N}@._-])(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?\\.)+(?:${TOP_LEVEL_DOMAINS})(?![\\p{L}\\p{M}\\p{N}-])(?::\\d+)?(?:[/?#][^\\s<>"“”«»]*)?|(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}.-]+\\.\\p{L}{2,}`,
  'giu',
);
const NOT_HOSTS = /^(?:asp\.net|vb\.net|ado\.net|booking\.com|monday\.com|p\.to|e\.in)$/i;

const AFTER_LINK = /[.,;:!?…)\]}'"’।]+$/u;

/** Returns the host and path of a link, without the punctuation of the sentence. */
function addressOf(link: string): string {
  let bare = link.replace(AFTER_LINK, '');
  // A closing bracket stays when the address has the opening one.
  if (bare.includes('(') && !bare.includes(')')) bare += ')';
  const [, host = '', rest = ''] = /^(?:[a-z]+:\/\/)?(?:www\.)?([^/?#]*)(.*)$/iu.exec(bare) ?? [];
  return host.toLowerCase() + rest.replace(/\/$/, '');
}

/** Every link matches this; it is faster than LINK. */
const HINT = /[\p{L}\p{N}]\.\p{L}|:\/\/|@/u;
function linksIn(raw: string): string[] {
  // Full stops and slashes of other scripts look like ours.
  const text = raw.normalize('NFKC');
  return HINT.test(text) ? (text.match(LINK) ?? []).filter((link) => !NOT_HOSTS.test(link)) : [];
}
/** The addresses of the links of a text: `https://www.Acme.example/a/.` becomes `acme.example/a`. */
const addressesIn = (text: string): string[] => linksIn(text).map(addressOf);

const links: Gate = {
  name: 'links',
  find: ({ content, context }) => {
    const known = new Set(
      [context.userInput, ...context.facts, context.topic.description].flatMap((text) => addressesIn(text)),
    );
    const foreign = linksIn(content)
      .find((link) => !known.has(addressOf(link)))
      ?.replace(AFTER_LINK, '');
    return foreign === undefined
      ? undefined
      : {
          forWriter: `It contains a link that was not given: ${foreign}. Leave it out.`,
          forUser: `It had a link that you did not give: ${foreign}`,
        };
  },
};

export const LINK_GATES: Gate[] = [links];
