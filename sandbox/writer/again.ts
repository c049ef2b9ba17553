import type { Brief } from './brief.ts';
import { asksFor } from './shapes.ts';
import { sentencesOf, wordsOf } from './words.ts';
import type { WrittenPost } from './writer.ts';

/** What a text that is not of the stock is given, by language: a word of its author, and a question at its end. */
const ADDED: Record<string, { personal: string; question: string }> = {
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

/** No network's rules take a shorter post. */
const LEAST = 220;
const SHORTER = 0.6;

type Place = { paragraph: number; sentence: number; words: number };

/** Takes sentences from the middle of a text, the longest first, until it has at most `most` words. */
function tightened(content: string, most: number): string {
  const given = content.split('\n\n');
  const paragraphs = given.map((paragraph) => sentencesOf(paragraph));
  const places: Place[] = paragraphs.flatMap((sentences, paragraph) =>
    sentences.map((text, sentence) => ({ paragraph, sentence, words: wordsOf(text).length })),
  );
  const middle = places.slice(1, -1).sort((one, other) => other.words - one.words);
  const gone = new Set<Place>();
  const written = () =>
    paragraphs
      .map((sentences, paragraph) =>
        sentences
          .filter((_, at) => ![...gone].some((each) => each.paragraph === paragraph && each.sentence === at))
          .map((text) => text.trim())
          .join(given[paragraph]!.includes('\n') ? '\n' : ' '),
      )
      .filter(Boolean)
      .join('\n\n');
  for (const place of middle) {
    const before = written();
    if (wordsOf(before).length <= most) break;
    gone.add(place);
    if (written().length < LEAST) gone.delete(place);
  }
  return written();
}

/** Puts a paragraph at the end of a text, or in the place of a question that stands there. */
function endedWith(content: string, question: string): string {
  const paragraphs = content.split('\n\n');
  const asksAlready = /[?？؟]\s*$/.test(paragraphs.at(-1) ?? '');
  const kept = asksAlready && paragraphs.length > 1 ? paragraphs.slice(0, -1) : paragraphs;
  return [...kept, question].join('\n\n');
}

const withPersonal = (content: string, words: string): string => {
  const [first = '', ...rest] = content.split('\n\n');
  return [first, words, ...rest].join('\n\n');
};

/** The text of somebody else as an instruction wants it: their sentences, fewer of them or with one of ours. */
export function retold(brief: Brief, before: WrittenPost): WrittenPost {
  const { content } = before;
  const { personal, question } = ADDED[brief.language] ?? ADDED.en!;
  const count = wordsOf(content).length;
  const asked = [
    asksFor(brief, 'shorter') && ((text: string) => tightened(text, count * SHORTER)),
    asksFor(brief, 'personal') && ((text: string) => withPersonal(text, personal)),
    asksFor(brief, 'question') && ((text: string) => endedWith(text, question)),
  ].filter((change) => change !== false);
  // What else people want of a text is beyond the sandbox: it says the same in a sentence less.
  const changes = asked.length > 0 ? asked : [(text: string) => tightened(text, count - 1)];
  return { ...before, content: changes.reduce((text, change) => change(text), content), claims: [] };
}
