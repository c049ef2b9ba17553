import type { Draft, GateContext } from '#app/domain/writing/gates/gate.ts';
import { isSubject } from '#app/domain/writing/gates/language/function-words.ts';
import {
  asWritten,
  coverage,
  fold,
  foldedPattern,
  hasForm,
  wordsOf,
} from '#app/domain/writing/gates/language/word-forms.ts';
import { plainDigits } from '#app/domain/writing/gates/numbers/plain-digits.ts';
import { numbersIn } from '#app/domain/writing/gates/numbers/words.ts';
import { sentencesOf } from '#app/domain/writing/gates/parsed-draft.ts';
import { subjectsOf } from '#app/domain/writing/gates/topic.ts';

export type Specificity = { score: number; reasons: string[] };

const LIMIT = foldedPattern([
  "\\b(?:does(?:n't| not) (?:work|help|apply)|do(?:n't| not) (?:work|help|apply)|stops working|fails when|not for everyone|except(?:ion|ions)?\\b|unless\\b|the price|at the cost of|the downside|breaks down|only works|no use|where it ends|costs us|costs you)",
  '\\b(?:funktioniert nicht|hilft nicht|gilt nicht|taugt nicht|ausser wenn|ausnahme|grenze|preis dafur|nachteil|nur wenn|es sei denn|kostet uns)\\b',
  '\\b(?:no (?:funciona|sirve|vale|ayuda)|salvo|excepto|excepcion|a menos que|el precio|inconveniente|limite|solo si|nos cuesta)\\b',
  "\\b(?:ne (?:marche|fonctionne|sert|vaut|s'applique) (?:pas|plus|a rien)|sauf|exception|a moins que|le prix|inconvenient|limite|seulement si|nous coute)\\b",
  '\\b(?:non (?:funziona|serve|vale|aiuta)|tranne|eccezione|a meno che|il prezzo|svantaggio|limite|solo se|ci costa)\\b',
  '\\b(?:werkt niet|helpt niet|geldt niet|behalve|uitzondering|tenzij|de prijs|nadeel|alleen als|kost ons)\\b',
  '\\b(?:nao (?:funciona|serve|vale|ajuda)|exceto|excecao|a menos que|o preco|desvantagem|limite|so se|nos custa)\\b',
  '(?:काम नहीं (?:करता|करती|आता|आती)|लागू नहीं|सिवाय|अपवाद|कीमत|नुकसान|सीमा|तभी|जब तक)',
]);
const QUOTED_WORDS_MAX = 8;
const WEIGHTS = { fact: 30, more: 10, opening: 20, limit: 15, number: 10, subjects: 15 };
const FACT_COVERAGE = 0.5;
const SUBJECTS_MIN = 4;
const NAMED_MAX = 3;

function shorten(fact: string): string {
  const words = fact.replace(/[.!?।]+$/u, '').split(/\s+/);
  return words.length > QUOTED_WORDS_MAX ? `${words.slice(0, QUOTED_WORDS_MAX).join(' ')}…` : words.join(' ');
}

/** Returns the numbers of the facts whose words the post has, independent of its claims. */
function factsUsedIn(draft: Draft, { facts, language }: Pick<GateContext, 'facts' | 'language'>): number[] {
  const words = new Set(wordsOf(draft.content));
  return facts.flatMap((fact, at) => {
    return coverage(wordsOf(fact).filter(isSubject), words, language) >= FACT_COVERAGE ? [at + 1] : [];
  });
}

/** Whether a line has two subjects of the user's input, a number or a quotation. */
function isConcrete(line: string, subjects: string[], language: string): boolean {
  const words = wordsOf(line);
  const named = subjects.filter((subject) => hasForm(words, subject, language));
  return named.length > 1 || figuresIn(line, language).length > 0 || /[“"«„][^”"»“]{2,}[”"»“]/u.test(line);
}

const NOT_FIGURES: Record<string, string[]> = { en: ['one', 'once', 'elf'], fr: ['neuf', 'dos'], es: [] };

const figuresIn = (text: string, language: string) =>
  numbersIn(plainDigits(fold(text)))
    .map((number) => number.text)
    .filter((figure) => !(NOT_FIGURES[language] ?? ['one', 'once']).includes(figure));

const distinct = (subjects: string[], language: string) =>
  subjects.filter((subject, at) => !hasForm(subjects.slice(0, at), subject, language));

/** Returns the score of a post, 0 to 100, with a sentence for each reason, facts first. */
export function specificityOf(
  draft: Draft,
  context: Pick<GateContext, 'topic' | 'facts' | 'language'>,
): Specificity {
  const { language, facts, topic } = context;
  const reasons: string[] = [];
  let score = 0;
  const count = (points: number, reason: string) => {
    score += points;
    reasons.push(reason);
  };
  factsUsedIn(draft, context).forEach((number, at) => {
    count(
      at === 0 ? WEIGHTS.fact : at === 1 ? WEIGHTS.more : 0,
      `Names your fact “${shorten(facts[number - 1]!)}”`,
    );
  });
  const subjects = subjectsOf(context);
  const words = new Set(wordsOf(draft.content));
  const named = subjects.filter((subject) => hasForm(words, subject, language));
  if (named.length >= SUBJECTS_MIN) {
    const userInput = [topic.name, ...topic.keywords, topic.description, ...facts].join('\n');
    const written = distinct(named, language)
      .slice(0, NAMED_MAX)
      .map((subject) => asWritten(userInput, subject));
    count(WEIGHTS.subjects, `Speaks of ${written.join(', ')} by name`);
  }
  const [opening = ''] = sentencesOf(draft.content);
  if (isConcrete(opening, subjects, language)) count(WEIGHTS.opening, 'Opens with a concrete thing');
  if (LIMIT.test(fold(draft.content))) count(WEIGHTS.limit, 'Says when it does not work, or what it costs');
  const figures = figuresIn(draft.content, language);
  const figure = figures.find((each) => /\d/.test(each)) ?? figures[0];
  if (figure) {
    const written = asWritten(draft.content, figure, plainDigits(fold(draft.content)));
    count(WEIGHTS.number, `Gives a figure: ${written}`);
  }
  if (reasons.length === 0) reasons.push('Names nothing that only you could know');
  return { score: Math.min(100, score), reasons };
}
