/** The colours of mails, light and dark: those of app/ui/styles/theme.css, as programs for mail understand them. */
export const COLOURS = {
  canvas: ['#f7fafb', '#09141b'],
  surface: ['#ffffff', '#101e26'],
  sunken: ['#edf4f5', '#050f15'],
  line: ['#d7e2e5', '#27373f'],
  ink: ['#13222d', '#eaf2f3'],
  'ink-2': ['#42545f', '#afbec3'],
  brand: ['#03657d', '#4cc8d9'],
  'on-brand': ['#ffffff', '#001925'],
  'brand-ink': ['#025c74', '#69d3e2'],
  'brand-line': ['#9ed5e3', '#185c6c'],
  accent: ['#f59d46', '#faaa51'],
} as const satisfies Record<string, [light: string, dark: string]>;

export type Colour = keyof typeof COLOURS;

/** What a colour is used for: by the property, with the letter of its class. */
const USES = { bg: 'background-color', fg: 'color', bd: 'border-color' } as const;
type Use = keyof typeof USES;

const listed = Object.entries(COLOURS) as [Colour, readonly [string, string]][];

const classOf = (use: Use, colour: Colour) => `${use}-${colour}`;

/** The rules that turn every coloured thing dark, for those who want that. */
export const darkRules = listed
  .flatMap(([colour, [, dark]]) =>
    (Object.keys(USES) as Use[]).map((use) => `.${classOf(use, colour)}{${USES[use]}:${dark}!important}`),
  )
  .join('');

/** The attributes of an element in these colours, with more of its own style. */
export function painted(colours: Partial<Record<Use, Colour>>, style = ''): string {
  const pairs = Object.entries(colours) as [Use, Colour][];
  const own = pairs.map(([use, colour]) => `${USES[use]}:${COLOURS[colour][0]}`).join(';');
  const names = pairs.map(([use, colour]) => classOf(use, colour)).join(' ');
  return `class="${names}" style="${[style, own].filter(Boolean).join(';')}"`;
}
