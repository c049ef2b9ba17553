import type { Gate } from './gate.ts';

/** Endings of names that stand in texts as links. A full stop without a space ("done.Next") is none of them. */
const ENDINGS =
  'com|org|net|io|ai|co|dev|app|info|biz|me|tv|xyz|shop|store|site|online|tech|cloud|blog|news|agency|link|ly|gl|gg|to|eu|de|at|ch|es|fr|it|nl|be|pt|pl|se|no|dk|fi|uk|ie|us|ca|au|nz|in|br|mx|ar|jp|cn|kr|ru|za|edu|gov|example|भारत|рф';
const LINK = new RegExp(
  `(?:https?|ftp):\\/\\/[^\\s<>"“”«»]+|(?<![\\p{L}\\p{N}@._-])(?:[\\p{L}\\p{N}](?:[\\p{L}\\p{N}-]*[\\p{L}\\p{N}])?\\.)+(?:${ENDINGS})(?![\\p{L}\\p{M}\\p{N}-])(?::\\d+)?(?:[/?#][^\\s<>"“”«»]*)?|(?<![\\p{L}\\p{N}._%+-])[\\p{L}\\p{N}._%+-]+@[\\p{L}\\p{N}.-]+\\.\\p{L}{2,}`,
  'giu',
);
/** Names of things that look like hosts: "Node.js" has no ending of the list, these have. */
const NO_HOSTS = /^(?:asp\.net|vb\.net|ado\.net|booking\.com|monday\.com|p\.to|e\.in)$/i;

const AFTER_LINK = /[.,;:!?…)\]}'"’।]+$/u;

/** Host and path as they are compared: punctuation after a link belongs to the sentence. */
function addressOf(link: string): string {
  let bare = link.replace(AFTER_LINK, '');
  // A bracket that the address itself opened stays.
  if (bare.includes('(') && !bare.includes(')')) bare += ')';
  const [, host = '', rest = ''] = /^(?:[a-z]+:\/\/)?(?:www\.)?([^/?#]*)(.*)$/iu.exec(bare) ?? [];
  return host.toLowerCase() + rest.replace(/\/$/, '');
}

/** With the full stops and slashes of other scripts as ours: a reader takes them for the same. */
const plain = (text: string) => text.normalize('NFKC');
/** What every link has somewhere. */
const HINT = /[\p{L}\p{N}]\.\p{L}|:\/\/|@/u;
function linksIn(said: string): string[] {
  const text = plain(said);
  return HINT.test(text) ? (text.match(LINK) ?? []).filter((link) => !NO_HOSTS.test(link)) : [];
}
/** The links of a text, as addresses: `https://www.Acme.example/a/.` is `acme.example/a`. */
const addressesIn = (text: string): string[] => linksIn(text).map(addressOf);

const links: Gate = {
  name: 'links',
  find: ({ content, against }) => {
    const known = new Set(
      [against.given, ...against.facts, against.topic.description].flatMap((text) => addressesIn(text)),
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
