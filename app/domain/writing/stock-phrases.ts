/**
 * Phrases that mark a text as filler, lower case. Each with where it is complained about: editors' lists of
 * clichés (Plain English Campaign, Guardian style guide) or the running gags of LinkedIn parody accounts.
 */
export const STOCK_PHRASES: { phrase: string; source: string }[] = [
  { phrase: 'game changer', source: 'Plain English Campaign, office jargon' },
  { phrase: 'game-changer', source: 'Plain English Campaign, office jargon' },
  { phrase: 'think outside the box', source: 'Plain English Campaign, most irritating phrases' },
  { phrase: 'at the end of the day', source: 'Plain English Campaign, most irritating phrases' },
  { phrase: 'low-hanging fruit', source: 'Plain English Campaign, office jargon' },
  { phrase: 'move the needle', source: 'Plain English Campaign, office jargon' },
  { phrase: 'paradigm shift', source: 'Guardian style guide, clichés' },
  { phrase: 'going forward', source: 'Guardian style guide, clichés' },
  { phrase: 'cutting edge', source: 'Guardian style guide, clichés' },
  { phrase: 'cutting-edge', source: 'Guardian style guide, clichés' },
  { phrase: "in today's fast-paced world", source: 'writer models, observed opening' },
  { phrase: "in today's digital age", source: 'writer models, observed opening' },
  { phrase: "let's dive in", source: 'writer models, observed opening' },
  { phrase: 'unlock the power', source: 'writer models, observed filler' },
  { phrase: 'unleash', source: 'writer models, observed filler' },
  { phrase: 'delve into', source: 'writer models, observed filler' },
  { phrase: 'a testament to', source: 'writer models, observed filler' },
  { phrase: 'ever-evolving landscape', source: 'writer models, observed filler' },
  { phrase: 'the landscape of', source: 'writer models, observed filler' },
  { phrase: 'elevate your', source: 'writer models, observed filler' },
  { phrase: 'supercharge', source: 'writer models, observed filler' },
  { phrase: 'thrilled to announce', source: 'LinkedIn parody accounts' },
  { phrase: 'humbled and honored', source: 'LinkedIn parody accounts' },
  { phrase: "here's the thing", source: 'LinkedIn parody accounts' },
  { phrase: 'let that sink in', source: 'LinkedIn parody accounts' },
  { phrase: 'agree?', source: 'LinkedIn parody accounts' },
];
