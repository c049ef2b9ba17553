import type { Gate } from './gate.ts';
import { fold, foldedPattern, wordsOf } from './word-forms.ts';

/** "It isn't just a tool, it's a journey" and "not a cost but an investment", folded, in one sentence or two. */
const CONTRAST = foldedPattern([
  "\\b(?:is|are|was|were|it|that|this|they)(?:n't| not|'s not| is not|'re not| are not) (?:just|only|merely|simply|about|really about)\\b[^.!?\\n]{1,90}[.,;:!–—-]+\\s*(?:it|they|that|this|we|you|but|rather)(?:'s|'re| is| are)?\\b",
  "\\b(?:it|this|that|they)(?:'s not|'re not| is not| are not| isn't| aren't) (?:a |an |the |your )?[^.!?,;\\n]{2,50}[.,;–—]\\s*(?:it|this|that|they)(?:'s|'re| is| are)\\b",
  '\\bnot (?:just|only|merely|simply)\\b[^.!?\\n]{2,90}\\bbut\\b',
  "\\b(?:is|are|was|were)(?:n't| not) (?:a|an|about|the|your) [^.!?,;\\n]{2,50},? but (?:a|an|about|the|your)\\b",
  '\\bless about\\b[^.!?\\n]{2,60}\\bmore about\\b|\\bmore than just an?\\b',
  '\\b(?:ist|sind|war|waren|geht es) (?:langst |eben |hier )?nicht (?:nur|bloss|einfach|lediglich|allein)\\b[^.!?\\n]{2,90}[.,;–—-]+\\s*(?:sondern|es|sie|er|das|dies)\\b|\\bnicht nur\\b[^.!?\\n]{2,90}\\bsondern\\b|\\b(?:es geht|geht es)(?: \\w+){0,2} nicht um\\b[^!?\\n]{2,60}[.,;–—]\\s*(?:sondern|es geht)\\b|\\b(?:ist|sind) keine?n?\\b[^.!?,\\n]{2,40}[.,;–—]\\s*(?:es|sie|er|das|sondern) ?(?:ist|sind|eine?)\\b|\\bmehr als nur\\b|\\bmehr als eine? bloss\\w*',
  '\\bno (?:es|son|se trata de|se trata solo de|es solo|son solo|es simplemente|solo es|va de)\\b[^.!?\\n]{2,80}[.,;–—]\\s*(?:es|son|se trata de|sino|va de)\\b|\\bno (?:solo|solamente|unicamente)\\b[^.!?\\n]{2,90}\\bsino\\b|\\bmas que (?:un|una|solo) \\w+[^.!?\\n]{0,30}, (?:es|son)\\b',
  "\\b(?:n'est|ne sont|n'etait|il ne s'agit|ce n'est) pas (?:seulement|juste|simplement|uniquement|qu'|que|de|une? simple|une? )[^.!?\\n]{2,80}[.,;–—]\\s*(?:c'est|ce sont|mais|il s'agit|elle est|il est)\\b|\\bnon seulement\\b[^.!?\\n]{2,90}\\bmais\\b|\\bbien plus qu'une?\\b|\\bplus qu'une? simple\\b",
  'सिर्फ़? [^।.!?\\n]{2,80} (?:नहीं|नही)(?: है| हैं)?[,;।–—]?\\s*(?:यह|ये|बल्कि|वह|एक)(?![\\p{L}\\p{M}])|(?:केवल|महज़?|मात्र) [^।.!?\\n]{2,80} (?:नहीं|नही)(?: है| हैं)?[,;।–—]?\\s*(?:यह|ये|बल्कि|वह|एक)(?![\\p{L}\\p{M}])|(?:नहीं|नही)(?: है| हैं)?[,;]? बल्कि एक(?![\\p{L}\\p{M}])',
]);

const contrast: Gate = {
  name: 'contrast',
  find: ({ folded }) => {
    const found = CONTRAST.exec(folded)?.[0];
    return found === undefined
      ? undefined
      : {
          forWriter: `It uses the figure "not this but that" ("${found.slice(0, 80)}"); say only what is the case.`,
          forUser: 'It used the figure “not this but that”',
        };
  },
};

const DRUM = { lines: 4, words: 6, share: 0.6, least: 6 };
const LIST_ITEM = /^(?:[-–—•▪◦→✓✔]|\d{1,2}[.)])\s/u;

/** One short line after another, each with a full stop and a gap, as drums. A list is none. */
function isDrumming(lines: string[], hasGaps: boolean): boolean {
  const isShort = lines.map(
    (line) => !LIST_ITEM.test(line) && wordsOf(line).length <= DRUM.words && !/:$/.test(line),
  );
  let run = 0;
  for (const each of isShort) {
    run = each ? run + 1 : 0;
    if (run >= DRUM.lines && hasGaps) return true;
  }
  return lines.length >= DRUM.least && isShort.filter(Boolean).length / lines.length >= DRUM.share;
}

/** "No slides. No budget. No excuses." */
const TRIPLET = /(?:^|[.!?।]\s+)(\p{L}[\p{L}\p{M}']*) [^.!?।\n]{2,30}[.!।]\s+\1 [^.!?।\n]{2,30}[.!।]\s+\1 /u;

const drumming: Gate = {
  name: 'drumming',
  find: ({ content, lines, folded }) =>
    isDrumming(lines, /\n\s*\n/.test(content)) || TRIPLET.test(folded)
      ? {
          forWriter:
            'It drums with one short line after another; make paragraphs of sentences of different lengths.',
          forUser: 'It was a row of short lines without sentences between them',
        }
      : undefined,
};

/** A question that only asks for comments, folded: the whole sentence at the end, without anything of the subject. */
const BAIT = foldedPattern(
  [
    "(?:agree|thoughts|your thoughts|any thoughts|sound familiar|right|who else|who's with me|am i right|guilty|relatable|curious|questions|what about you|how about you|and you|yes or no)\\s*(?:or (?:disagree|not)|\\?)",
    "(?:do you agree|don't you agree|what do you think|what are your thoughts|what's your take|what is your take|what would you add|what's your experience|can you relate|are you ready)(?: (?:about|on|to) (?:this|that|it|the list))?\\s*\\?",
    '(?:let me know|tell me|share|drop|comment|sound off)[^.!?\\n]{0,50}\\b(?:comments?|below)\\b|\\b(?:like|follow|repost|share|comment)\\b(?: (?:and|or|if|this|for)\\b[^.!?\\n]{0,40})?\\b(?:if you agree|for more|with your network|if this resonates)',
    '(?:stimmt ihr zu|stimmst du zu|stimmen sie zu|was meint ihr|was meinst du|was meinen sie|wie seht ihr das|wie siehst du das|wie sehen sie das|eure meinung|deine meinung|ihre meinung|was denkt ihr|was denkst du|was denken sie|und du|und ihr|und sie|kennt ihr das|kennst du das|wer noch|seid ihr bereit)\\s*(?:dazu|daruber|auch)?\\s*\\?',
    "over to you|share if you agree|follow me for more|link in (?:the |my )?(?:bio|comments)|i(?:'d| would) love to hear[^.!?\\n]{0,50}|wie handhabt ihr das\\s*\\?|et chez vous\\s*\\?",
    '(?:schreib|schreibt|schreiben sie|teil|teilt|lass|lasst|lassen sie)[^.!?\\n]{0,50}\\bkommentare?n?\\b',
    '[¿]?(?:estas de acuerdo|estais de acuerdo|esta de acuerdo|que opinas|que opinais|que opina usted|que piensas|que pensais|y tu|y vosotros|y ustedes|que te parece|te suena|te identificas|opiniones|quien mas|estas list[oa])\\s*\\?',
    '(?:dejame|dejanos|deja|cuentame|cuentanos|comparte|comenta|comentad|escribe)[^.!?\\n]{0,50}\\bcomentarios?\\b|te leo[^.!?\\n]{0,30}',
    "(?:etes-vous d'accord|es-tu d'accord|d'accord|qu'en pensez-vous|qu'en penses-tu|et vous|et toi|votre avis|ton avis|vos avis|vous en pensez quoi|ca vous parle|qui d'autre|pret a vous lancer)\\s*\\?",
    '(?:dites-moi|dis-moi|partagez|partage|laissez|commentez|reagissez)[^.!?\\n]{0,50}\\bcommentaires?\\b',
    '(?:आप क्या सोचते हैं|आपका क्या विचार है|आपकी क्या राय है|आपकी राय|आपके विचार|क्या आप सहमत हैं|सहमत हैं|क्या कहते हैं आप|और आप|क्या आप तैयार हैं)(?: इस बारे में)?\\s*\\?',
    '(?:कमेंट|टिप्पणी|टिप्पणियों)[^।.!?\\n]{0,30}(?:बताएं|बताइए|लिखें|लिखिए|करें|साझा)',
  ],
  (any) =>
    `(?:^|[.!?:;…।\\n]\\s*|\\s[–—-]\\s*|(?:so|and|also|und|y|et|तो),?\\s+)(?:(?:and you|what about you|und ihr|und du|und sie|et vous|et toi|[¿]?y tu|और आप),?\\s+)?[¿"'*]*(?:${any})[\\s\\p{Extended_Pictographic}\\ufe0f.!?।"']*(?:$|\\n)`,
  'gu',
);
const LAST_LINES = 2;

const bait: Gate = {
  name: 'bait',
  find: ({ lines }) => {
    const end = fold(lines.slice(-LAST_LINES).join('\n'));
    return end.search(BAIT) < 0
      ? undefined
      : {
          forWriter: 'It ends on a question that only asks for comments; end with the subject.',
          forUser: 'It ended on a question that fits every post',
        };
  },
};

const EMOJI =
  /\p{Extended_Pictographic}(?:\ufe0f|\u200d\p{Extended_Pictographic}|[\u{1f3fb}-\u{1f3ff}])*|\p{Regional_Indicator}{2}|[0-9#*]\ufe0f?\u20e3/gu;
/** Signs of writing that the same class holds. */
const NO_EMOJI = /^[©®™↔↕↗↘↖↙→←↑↓‼⁉▪▫]$/u;
const MOST_EMOJI = 3;

const emoji: Gate = {
  name: 'emoji',
  find: ({ content, lines, against }) => {
    const found = [...content.matchAll(EMOJI)].filter(([each]) => !NO_EMOJI.test(each));
    if (found.length === 0) return undefined;
    if (!against.hasEmoji) {
      return {
        forWriter: 'It has emoji; the author wants none.',
        forUser: 'It had emoji, which you do not want',
      };
    }
    const isRow = found.some(
      (each, at) =>
        at > 0 && /^\s?$/.test(content.slice(found[at - 1]!.index + found[at - 1]![0].length, each.index)),
    );
    const asBullets = lines.filter((line) => new RegExp(`^(?:${EMOJI.source})`, 'u').test(line)).length;
    return isRow || found.length > MOST_EMOJI || asBullets > 1
      ? {
          forWriter: `It strings emoji together; at most ${MOST_EMOJI}, never in a row and never as bullets.`,
          forUser: 'It was strung with emoji',
        }
      : undefined;
  },
};

export const FIGURE_GATES: Gate[] = [contrast, drumming, bait, emoji];
