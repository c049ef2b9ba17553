/** The time of all gates for one text: for the texts of the corpus, and for texts of the greatest length. */
import { GATES, runGates } from '#app/domain/writing/gates/run.ts';
import { figure, number, spread, title } from '#bench/measure/figures.ts';
import { fillerTexts, honestTexts, LANGUAGES, type Text } from '#tests/writing/gates/corpus/corpus.ts';

const ROUNDS = 20;
const LONGEST = 2_800;

const texts = LANGUAGES.flatMap((language) => [...honestTexts(language), ...fillerTexts(language)]);

/** Repeats the text up to the greatest length. */
function repeatText(text: Text): Text {
  const { content } = text.draft;
  const times = Math.ceil(LONGEST / content.length);
  const long = Array(times).fill(content).join('\n\n').slice(0, LONGEST);
  return { ...text, draft: { ...text.draft, content: long } };
}

function timesOf(selected: Text[]): number[] {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { draft, against } of selected) {
      const from = performance.now();
      runGates(draft, against);
      times.push(performance.now() - from);
    }
  }
  // Without the first round, in which the code is compiled.
  return times.slice(selected.length);
}

title(
  `All ${GATES.length} gates on one text, ${number(texts.length)} texts in ${LANGUAGES.length} languages`,
);
figure('texts of the corpus', spread(timesOf(texts)));
figure(`texts of ${number(LONGEST)} characters`, spread(timesOf(texts.map(repeatText))));
