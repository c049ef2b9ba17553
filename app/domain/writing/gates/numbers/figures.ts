import type { Gate } from '#app/domain/writing/gates/gate.ts';
import { fold, foldedPattern, wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';

const DRUM = { lines: 4, words: 6, share: 0.6, minLines: 6 };
/** A checklist may have up to five short points and a line before them. */
const CHECKLIST = { lines: 7, words: 6, share: 0.9, minLines: 6 };
const LIST_ITEM = /^(?:[-–—•▪◦→✓✔☐□]|\d{1,2}[.)])\s/u;

/** Whether a text is a row of short lines with gaps. Items of a list don't count. */
function isDrumming(lines: string[], hasGaps: boolean, limit: typeof DRUM): boolean {
  const isShort = lines.map(
    (line) => !LIST_ITEM.test(line) && wordsOf(line).length <= limit.words && !/:$/.test(line),
  );
  let run = 0;
  for (const each of isShort) {
    run = each ? run + 1 : 0;
    if (run >= limit.lines && hasGaps) return true;
  }
  return lines.length >= limit.minLines && isShort.filter(Boolean).length / lines.length >= limit.share;
}

/** "No slides. No budget. No excuses." */
const TRIPLET = /(?:^|[.!?।]\s+)(\p{L}[\p{L}\p{M}']*) [^.!?।\n]{2,30}[.!।]\s+\1 [^.!?।\n]{2,30}[.!।]\s+\1 /u;
/** In a checklist only triplets with these words count, not "Check the hose. Check the seal." */
const NEGATIONS =
  /^(?:no|not|never|less|more|kein\p{L}*|nie|nicht|mehr|sin|ni|nunca|mas|sans|pas|jamais|plus|न|बिना|कोई)$/u;

function isTriplet(folded: string, isChecklist: boolean): boolean {
  const first = TRIPLET.exec(folded)?.[1];
  return first !== undefined && (!isChecklist || NEGATIONS.test(first));
}

const drumming: Gate = {
  name: 'drumming',
  find: ({ content, lines, folded, context: { isChecklist = false } }) =>
    isDrumming(lines, /\n\s*\n/.test(content), isChecklist ? CHECKLIST : DRUM) ||
    isTriplet(folded, isChecklist)
      ? {
          forWriter:
            'It drums with one short line after another; make paragraphs of sentences of different lengths.',
          forUser: 'It was a row of short lines without sentences between them',
        }
      : undefined,
};

/** A sentence at the end that only asks for comments, folded. */
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
const NOT_EMOJI = /^[©®™↔↕↗↘↖↙→←↑↓‼⁉▪▫]$/u;
const EMOJI_MAX = 3;

const emoji: Gate = {
  name: 'emoji',
  find: ({ content, lines, context }) => {
    const found = [...content.matchAll(EMOJI)].filter(([each]) => !NOT_EMOJI.test(each));
    if (found.length === 0) return undefined;
    if (!context.hasEmoji) {
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
    return isRow || found.length > EMOJI_MAX || asBullets > 1
      ? {
          forWriter: `It strings emoji together; at most ${EMOJI_MAX}, never in a row and never as bullets.`,
          forUser: 'It was strung with emoji',
        }
      : undefined;
  },
};

export const FIGURE_GATES: Gate[] = [drumming, bait, emoji];
