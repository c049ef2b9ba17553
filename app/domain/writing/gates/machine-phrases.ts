import { fold, foldedPattern, wordsOf } from '#app/domain/writing/gates/language/word-forms.ts';
import type { Gate, GateContext } from './gate.ts';
import type { ParsedDraft } from './parsed-draft.ts';

/** Announcements of a model at the start of its text, folded. */
const PREAMBLE = foldedPattern(
  [
    "(?:sure|certainly|absolutely|of course|great|got it|okay|ok|here you go|no problem)(?: thing)?\\s*(?:[!:]|[.,]\\s*(?:here|this is|below|i(?:'ve|'ll| have| will)|let me))",
    "(?:here(?:'s| is| are)|below is|this is) (?:a|an|the|your|my)(?: \\S+){0,5} (?:posts?|drafts?|versions?|texts?|captions?)\\b(?! (?!for|about|on|that|in|you|as|with|of)\\p{L})",
    'linkedin[- ]post\\s*:|(?:draft|version|option|title|hook|post)\\s*\\d*\\s*:',
    '(?:klar|gerne|naturlich|selbstverstandlich|sicher)\\s*(?:[!:]|[.,]\\s*(?:hier|anbei|nachfolgend|ich))',
    '(?:hier (?:ist|sind|kommt|findest)|nachfolgend|anbei)(?: \\S+){0,6} (?:\\S*beitrag|\\S*post|entwurf|text|version)\\b|(?:entwurf|beitrag|titel)\\s*\\d*\\s*:',
    '[¡]?(?:claro|por supuesto|desde luego|con gusto|perfecto)(?: que si)?\\s*(?:[!:]|[.,]\\s*(?:aqui|a continuacion|te|este))',
    '(?:aqui (?:tienes|esta|va|tiene)|a continuacion|te (?:dejo|presento|comparto))(?: \\S+){0,6} (?:publicacion|post|borrador|texto|version)\\b|(?:borrador|publicacion|titulo)\\s*\\d*\\s*:',
    "(?:bien sur|avec plaisir|certainement|d'accord|absolument|volontiers)\\s*(?:[!:]|[.,]\\s*(?:voici|voila|ci-dessous|je))",
    '(?:voici|voila|ci-dessous)(?: \\S+){0,6} (?:post|publication|brouillon|texte|version)\\b|(?:brouillon|publication|titre)\\s*\\d*\\s*:',
    '(?:ज़रूर|जरूर|बिल्कुल|बेशक|ठीक है)\\s*(?:[!:]|[,।]\\s*(?:यह|ये|यहाँ|नीचे|पेश))',
    '(?:यहाँ|यह रहा|यह रही|ये रहा|पेश है|नीचे)(?: \\S+){0,6} (?:पोस्ट|मसौदा|ड्राफ़्ट|ड्राफ्ट|संस्करण)(?![\\p{L}\\p{M}])|(?:मसौदा|पोस्ट|शीर्षक)\\s*\\d*\\s*:',
  ],
  (any) => `^\\s*["'*]*(?:${any})`,
);

/** Closing remarks of a model to the user, in the last lines, folded. */
const SIGN_OFF = foldedPattern([
  'let me know if (?:you|this|that|there)|feel free to (?:adjust|edit|change|tweak|customi[sz]e|modify|adapt)|would you like me to|i hope this (?:helps|works|post|draft)|i can (?:also )?(?:adjust|shorten|rewrite|tailor|make it)|happy to (?:adjust|tweak|revise|refine)|word count\\s*:|(?:characters?|words)\\s*\\)\\s*$',
  'lass(?:en sie)? (?:es )?mich wissen,? (?:ob|wenn|falls)|sag(?:en sie mir|e? mir)? bescheid,? (?:ob|wenn|falls)|soll ich (?:den|die|das|noch|ihn|es)|ich hoffe,? (?:das|der|dieser) (?:hilft|beitrag|text|entwurf|gefallt)|gerne? (?:passe|kurze|andere|uberarbeite) ich',
  'avisame si|dime si (?:quieres|necesitas|prefieres|deseas)|si (?:quieres|deseas|lo deseas|necesitas),? puedo|espero que (?:te|le|esto|este) (?:sirva|ayude|guste|texto|publicacion)|puedo (?:ajustar|acortar|adaptar|modificar)',
  "n'hesitez pas a (?:me |l'|le |la )?(?:dire|demander|modifier|adapter|ajuster|personnaliser)|dites-moi si|dis-moi si|souhaitez-vous que je|veux-tu que je|j'espere que (?:ce|cela|cette) (?:texte|post|publication|vous|version)|je peux (?:aussi |egalement )?(?:l'adapter|adapter|raccourcir|modifier|ajuster)",
  'मुझे बताएं (?:अगर|यदि)|मुझे बताइए (?:अगर|यदि)|बताएं (?:अगर|यदि) आप|(?:अगर|यदि) आप (?:चाहें|चाहते हैं) तो मैं|क्या आप चाहते हैं कि मैं|आशा है (?:कि )?(?:यह|ये) (?:पोस्ट|मदद|आपको|मसौदा)|उम्मीद है (?:कि )?(?:यह|ये) (?:पोस्ट|मदद|आपको|मसौदा)',
]);
const LAST_LINES = 3;

/** A model that speaks about itself. "As an AI engineer" does not match. */
const MODEL = foldedPattern([
  "\\bas an? (?:ai|artificial intelligence|large language model|language model|virtual assistant|ai assistant|chatbot)(?: (?:language )?model| assistant| chatbot)?(?=[,.;:!?)]|\\s+(?:i\\b|i'm|my|we\\b|it)|\\s*$)",
  "\\bi(?:'m| am) (?:just |only )?(?:an ai|a (?:large )?language model|a chatbot|chatgpt|an artificial)(?! \\w*(?:engineer|consultant|researcher|lawyer|developer|architect|trainer|specialist|expert))",
  "\\bi (?:cannot|can't|do not|don't) have (?:personal )?(?:experiences|opinions|feelings)|\\bmy (?:training data|knowledge cutoff)|\\bi(?:'m| am) (?:sorry|unable),? (?:but )?(?:i |to )?(?:cannot|can't|write|create|help)",
  '\\bals (?:eine? )?(?:ki|kunstliche intelligenz|sprachmodell|ki-modell|ki-sprachmodell|ki-assistent)(?=[,.;:!?]|\\s+(?:kann|habe|bin|darf|mochte))',
  '\\bcomo (?:una? )?(?:ia|inteligencia artificial|modelo de lenguaje|asistente virtual)(?=[,.;:!?]|\\s+(?:no|yo|puedo|tengo))',
  "\\ben tant qu(?:e |')(?:une? )?(?:ia|intelligence artificielle|modele de langage|assistant virtuel)(?=[,.;:!?]|\\s+(?:je|j'))",
  '(?:एक )?(?:एआई|ए\\.?आई\\.?|ai|भाषा) (?:भाषा )?(?:मॉडल|असिस्टेंट|सहायक) (?:के रूप में|होने के नाते)|(?:एआई|कृत्रिम बुद्धिमत्ता) के रूप में,',
]);

const LEAK =
  /<\/?data-|"""|^[ \t]*(?:\{[ \t]*"\w+"|"(?:content|hashtags|thesis|claims)")\s*:|<\|\w|\[\/?inst\]|<\/?sys>|^(?:system(?: prompt)?|assistant|the brief|angle|brief|cta|topic|description|keywords|tone|hashtags|thesis|claims|facts|voice|thema|schlagworter|ton|tema|palabras clave|tono|sujet|mots-cles|विषय|कीवर्ड)\s*:\s*\S|\(fact \d+(?::|\))|\b(?:the|this|your) (?:prompt|system prompt|brief says|data block)\b|\bmy (?:instructions|system prompt)\b|\b(?:meine|meinen) anweisungen\b|\bmis instrucciones\b|\bmes instructions\b|मेरे निर्देश|\b(?:ignor|disregard|forget|overrid)\w* (?:(?:all|any|of|my|your|the|these) )*(?:previous|prior|above)(?: \w+)? (?:instructions?|prompts?|directions)\b/mu;

/** As many words in a row as in our instructions can't be a coincidence. */
const IN_A_ROW = 8;
const rowsIn = (text: string) => {
  const words = wordsOf(text);
  return words.slice(IN_A_ROW - 1).map((_, at) => words.slice(at, at + IN_A_ROW).join(' '));
};

const rowsOfRules = new WeakMap<string[], Set<string>>();

function repeatsRule(content: string, rules: GateContext['rules'] = []): boolean {
  const rows = rowsOfRules.get(rules) ?? new Set(rules.flatMap(rowsIn));
  rowsOfRules.set(rules, rows);
  return rows.size > 0 && rowsIn(content).some((row) => rows.has(row));
}

/** A key, the address of a wallet or an encoded text. */
const CODE = /[\w+/=-]{40,}/g;
/** Paths and long names have shorter pieces with digits, or none. */
const PIECE = 20;
const isCode = (run: string) =>
  run.split(/[/_=-]/).some((piece) => piece.length >= PIECE && /\d/.test(piece) && /[a-z]/i.test(piece));
const hasCode = ({ content, context }: ParsedDraft) =>
  content.match(CODE)?.some((run) => isCode(run) && !context.userInput.includes(run)) ?? false;

const preamble: Gate = {
  name: 'preamble',
  find: ({ folded }) =>
    PREAMBLE.test(folded)
      ? {
          forWriter: 'It announces itself; begin with the post, without a word before it.',
          forUser: 'It began by talking to you instead of to your readers',
        }
      : undefined,
};

const signOff: Gate = {
  name: 'sign-off',
  find: ({ lines }) =>
    SIGN_OFF.test(fold(lines.slice(-LAST_LINES).join('\n')))
      ? {
          forWriter: 'It ends with a word to the person who asked; end with the post.',
          forUser: 'It ended by talking to you instead of to your readers',
        }
      : undefined,
};

const model: Gate = {
  name: 'model',
  find: ({ folded }) =>
    MODEL.test(folded)
      ? {
          forWriter: 'It speaks as a model; write as the author.',
          forUser: 'It spoke as a machine, not as you',
        }
      : undefined,
};

const leak: Gate = {
  name: 'leak',
  find: (text) =>
    LEAK.test(text.folded) || repeatsRule(text.content, text.context.rules) || hasCode(text)
      ? {
          forWriter:
            'It repeats the instructions or the labels of the data, or holds a code; give the post alone.',
          forUser: 'It repeated what we had told the writer',
        }
      : undefined,
};

export const MACHINE_GATES: Gate[] = [preamble, signOff, model, leak];
