import { fold } from '#app/domain/writing/gates/language/word-forms.ts';

export const WORDS = new Map<string, number>();
const add = (value: number, ...words: string[]) => {
  for (const word of words) WORDS.set(fold(word), value);
};
const addRow = (first: number, row: string) =>
  row.split(' ').forEach((word, at) => void add(first + at, word));

function addEnglish() {
  const units = 'one two three four five six seven eight nine'.split(' ');
  addRow(1, units.join(' '));
  addRow(10, 'ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen');
  'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ').forEach((ten, at) => {
    add(20 + at * 10, ten);
    units.forEach((unit, by) => void add(21 + at * 10 + by, `${ten}-${unit}`, `${ten} ${unit}`));
  });
}

function addGerman() {
  const units = 'ein zwei drei vier fünf sechs sieben acht neun'.split(' ');
  addRow(2, units.slice(1).join(' '));
  addRow(10, 'zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn');
  'zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig'.split(' ').forEach((ten, at) => {
    add(20 + at * 10, ten);
    units.forEach((unit, by) => void add(21 + at * 10 + by, `${unit}und${ten}`));
  });
  'zwei drei vier fünf sechs sieben acht neun'.split(' ').forEach((unit, at) => {
    add((at + 2) * 100, `${unit}hundert`);
    add((at + 2) * 1000, `${unit}tausend`);
  });
}

function addSpanish() {
  addRow(
    2,
    'dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte',
  );
  addRow(
    21,
    'veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho veintinueve',
  );
  const units = 'uno dos tres cuatro cinco seis siete ocho nueve'.split(' ');
  'treinta cuarenta cincuenta sesenta setenta ochenta noventa'.split(' ').forEach((ten, at) => {
    add(30 + at * 10, ten);
    units.forEach((unit, by) => void add(31 + at * 10 + by, `${ten} y ${unit}`));
  });
  'doscientos trescientos cuatrocientos quinientos seiscientos setecientos ochocientos novecientos'
    .split(' ')
    .forEach((word, at) => void add((at + 2) * 100, word, word.replace(/os$/, 'as')));
}

function addFrench() {
  const low =
    'un deux trois quatre cinq six sept huit neuf dix onze douze treize quatorze quinze seize dix-sept dix-huit dix-neuf'.split(
      ' ',
    );
  addRow(2, low.slice(1).join(' '));
  const tens: [number, string, number][] = [
    ...'vingt trente quarante cinquante'
      .split(' ')
      .map((word, at): [number, string, number] => [20 + at * 10, word, 9]),
    [60, 'soixante', 19],
    [80, 'quatre-vingt', 19],
  ];
  for (const [base, ten, most] of tens) {
    add(base, ten, `${ten}s`);
    low
      .slice(0, most)
      .forEach(
        (unit, at) =>
          void add(
            base + at + 1,
            `${ten}-${unit}`,
            `${ten} ${unit}`,
            `${ten} et ${unit}`,
            `${ten}-et-${unit}`,
          ),
      );
  }
}

function addHindi() {
  addRow(2, 'दो तीन चार पाँच छह सात आठ नौ दस ग्यारह बारह तेरह चौदह पंद्रह सोलह सत्रह अठारह उन्नीस बीस');
  add(5, 'पांच');
  add(6, 'छः', 'छे');
  addRow(21, 'इक्कीस बाईस तेईस चौबीस पच्चीस छब्बीस सत्ताईस अट्ठाईस उनतीस तीस');
  'पैंतीस चालीस पैंतालीस पचास पचपन साठ पैंसठ सत्तर पचहत्तर अस्सी पचासी नब्बे पंचानवे'
    .split(' ')
    .forEach((word, at) => void add(35 + at * 5, word));
  add(99, 'निन्यानवे');
}

for (const language of [addEnglish, addGerman, addSpanish, addFrench, addHindi]) language();

const SCALE_WORDS: [value: number, words: string][] = [
  [100, 'hundred hundert cientos cent cents सौ'],
  [1e3, 'thousand tausend mil mille हज़ार हजार k'],
  [1e5, 'लाख'],
  [1e6, 'million millions millionen millon millones mio'],
  [1e7, 'करोड़'],
  [1e9, 'billion billions milliarde milliarden milliard milliards bn mrd'],
];
export const SCALES = new Map(
  SCALE_WORDS.flatMap(([value, words]) =>
    words.split(' ').map((word): [string, number] => [fold(word), value]),
  ),
);
