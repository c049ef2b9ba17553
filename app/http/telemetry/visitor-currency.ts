const CURRENCIES: Record<string, string> = { IN: 'INR', AE: 'AED', GB: 'GBP' };
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK AD MC SM VA XK ME'.split(' ');
for (const region of EURO) CURRENCIES[region] = 'EUR';

const TAG_MAX = 35;

/** The region of a language tag, or the most likely one for its language. */
function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().region;
  } catch {
    return undefined;
  }
}

/** The currency of the first language in an Accept-Language header, or undefined if we have no prices in it. */
export function likelyCurrency(acceptLanguage: string | null): string | undefined {
  const [first = ''] = (acceptLanguage ?? '').split(/[,;]/, 1);
  const tag = first.trim();
  if (!tag || tag.length > TAG_MAX) return undefined;
  return CURRENCIES[regionOf(tag) ?? ''];
}
