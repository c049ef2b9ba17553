import type { Brief } from './brief.ts';
import { hasInstruction } from './shapes.ts';
import { sentencesOf, wordsOf } from './words.ts';
import type { WrittenPost } from './writer.ts';

/** Sentences to add to a text that is not from the stock. */
const ADDITIONS: Record<string, { personal: string; question: string }> = {
  en: {
    personal: 'I would do it this way, and I would want to hear where it breaks.',
    question: 'Which line of this would you strike out for your own work?',
  },
  de: {
    personal: 'Ich würde es so machen, und ich wüsste gern, wo es nicht passt.',
    question: 'Welche Zeile davon würden Sie für Ihre eigene Arbeit streichen?',
  },
  es: {
    personal: 'Yo lo haría así, y me gustaría saber dónde falla.',
    question: '¿Qué línea de todo esto quitaría usted para su propio trabajo?',
  },
  fr: {
    personal: 'Je ferais ainsi, et j’aimerais savoir où cela coince.',
    question: 'Quelle ligne de tout cela rayeriez-vous pour votre propre travail ?',
  },
  it: {
    personal: 'Io farei così, e vorrei sapere dove non funziona.',
    question: 'Quale riga di tutto questo togliereste per il vostro lavoro?',
  },
  nl: {
    personal: 'Ik zou het zo doen, en ik hoor graag waar het niet past.',
    question: 'Welke regel hiervan zou u voor uw eigen werk schrappen?',
  },
  pt: {
    personal: 'Eu faria assim, e gostaria de saber onde falha.',
    question: 'Que linha de tudo isto tiraria para o seu próprio trabalho?',
  },
  hi: {
    personal: 'मेरी राय में यही सही है, पर यह हर जगह नहीं चलेगा।',
    question: 'अपने काम के लिए आप इसमें से कौन-सी पंक्ति हटाएँगे?',
  },
};

/** The gates reject shorter posts. */
const LEAST_LENGTH = 220;
const SHORTER_SHARE = 0.6;

type SentencePosition = { paragraph: number; sentence: number; words: number };

/** Removes sentences from the middle of a text, the longest first, until it has at most `mostWords`. */
function shorten(content: string, mostWords: number): string {
  const originals = content.split('\n\n');
  const paragraphs = originals.map((paragraph) => sentencesOf(paragraph));
  const positions: SentencePosition[] = paragraphs.flatMap((sentences, paragraph) =>
    sentences.map((text, sentence) => ({ paragraph, sentence, words: wordsOf(text).length })),
  );
  const middle = positions.slice(1, -1).sort((a, b) => b.words - a.words);
  const removed = new Set<SentencePosition>();
  const result = () =>
    paragraphs
      .map((sentences, paragraph) =>
        sentences
          .filter(
            (_, index) =>
              ![...removed].some((each) => each.paragraph === paragraph && each.sentence === index),
          )
          .map((text) => text.trim())
          .join(originals[paragraph]!.includes('\n') ? '\n' : ' '),
      )
      .filter(Boolean)
      .join('\n\n');
  for (const position of middle) {
    if (wordsOf(result()).length <= mostWords) break;
    removed.add(position);
    if (result().length < LEAST_LENGTH) removed.delete(position);
  }
  return result();
}

/** Replaces a final paragraph that is a question, otherwise appends one. */
function endWith(content: string, question: string): string {
  const paragraphs = content.split('\n\n');
  const endsWithQuestion = /[?？؟]\s*$/.test(paragraphs.at(-1) ?? '');
  const others = endsWithQuestion && paragraphs.length > 1 ? paragraphs.slice(0, -1) : paragraphs;
  return [...others, question].join('\n\n');
}

const insertPersonal = (content: string, sentence: string): string => {
  const [first = '', ...rest] = content.split('\n\n');
  return [first, sentence, ...rest].join('\n\n');
};

/** Follows an instruction for a text that is not from the stock, by removing or adding sentences. */
export function rewriteForeign(brief: Brief, before: WrittenPost): WrittenPost {
  const { content } = before;
  const { personal, question } = ADDITIONS[brief.language] ?? ADDITIONS.en!;
  const count = wordsOf(content).length;
  const requested = [
    hasInstruction(brief, 'shorter') && ((text: string) => shorten(text, count * SHORTER_SHARE)),
    hasInstruction(brief, 'personal') && ((text: string) => insertPersonal(text, personal)),
    hasInstruction(brief, 'question') && ((text: string) => endWith(text, question)),
  ].filter((change) => change !== false);
  // For other instructions, which the sandbox does not understand, the text only loses a sentence.
  const changes = requested.length > 0 ? requested : [(text: string) => shorten(text, count - 1)];
  return { ...before, content: changes.reduce((text, change) => change(text), content), claims: [] };
}
