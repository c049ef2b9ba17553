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

/** How concrete a post is, and why, in words for its owner. */
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
const MOST_WORDS_QUOTED = 8;
const WEIGHTS = { fact: 30, more: 10, opening: 20, limit: 15, number: 10, subjects: 15 };
const TOLD = 0.5;
const DENSE = 4;
const MOST_NAMED = 3;

/** The beginning of a fact, as its owner knows it again. */
function nameOf(fact: string): string {
  const words = fact.replace(/[.!?।]+$/u, '').split(/\s+/);
  return words.length > MOST_WORDS_QUOTED
    ? `${words.slice(0, MOST_WORDS_QUOTED).join(' ')}…`
    : words.join(' ');
}

/** Which facts a post tells: those whose words stand in it, whatever its claims name. */
function factsUsedIn(draft: Draft, { facts, language }: Pick<GateContext, 'facts' | 'language'>): number[] {
  const words = new Set(wordsOf(draft.content));
  return facts.flatMap((fact, at) => {
    return coverage(wordsOf(fact).filter(isSubject), words, language) >= TOLD ? [at + 1] : [];
  });
}

/** Whether a line has two subjects of what was given, or a number, or a thing between quotation marks. */
function isConcrete(line: string, subjects: string[], language: string): boolean {
  const words = wordsOf(line);
  const named = subjects.filter((subject) => hasForm(words, subject, language));
  return named.length > 1 || figuresIn(line, language).length > 0 || /[“"«„][^”"»“]{2,}[”"»“]/u.test(line);
}

/** What reads as a number, of this language or of another one, and mostly counts nothing. */
const NO_FIGURES: Record<string, string[]> = { en: ['one', 'once', 'elf'], fr: ['neuf', 'dos'], es: [] };

/** The figures of a text. */
const figuresIn = (text: string, language: string) =>
  numbersIn(plainDigits(fold(text)))
    .map((number) => number.text)
    .filter((figure) => !(NO_FIGURES[language] ?? ['one', 'once']).includes(figure));

/** Each subject in one of its forms only. */
const distinct = (subjects: string[], language: string) =>
  subjects.filter((subject, at) => !hasForm(subjects.slice(0, at), subject, language));

/** The score of a post, 0 to 100, with a sentence for each thing that counted, facts first. */
export function specificityOf(
  draft: Draft,
  against: Pick<GateContext, 'topic' | 'facts' | 'language'>,
): Specificity {
  const { language, facts, topic } = against;
  const reasons: string[] = [];
  let score = 0;
  const count = (points: number, reason: string) => {
    score += points;
    reasons.push(reason);
  };
  factsUsedIn(draft, against).forEach((number, at) => {
    count(
      at === 0 ? WEIGHTS.fact : at === 1 ? WEIGHTS.more : 0,
      `Names your fact “${nameOf(facts[number - 1]!)}”`,
    );
  });
  const subjects = subjectsOf(against);
  const words = new Set(wordsOf(draft.content));
  const named = subjects.filter((subject) => hasForm(words, subject, language));
  if (named.length >= DENSE) {
    const given = [topic.name, ...topic.keywords, topic.description, ...facts].join('\n');
    const written = distinct(named, language)
      .slice(0, MOST_NAMED)
      .map((subject) => asWritten(given, subject));
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
