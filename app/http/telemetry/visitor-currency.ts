/** Regions whose money we have prices in; everybody else reads them in the first currency. */
const CURRENCIES: Record<string, string> = { IN: 'INR', AE: 'AED', GB: 'GBP' };
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK AD MC SM VA XK ME'.split(' ');
for (const region of EURO) CURRENCIES[region] = 'EUR';

const LONGEST_TAG = 35;

/** The region of a language tag: the one it names, else the one where most people speak it. */
function regionOf(tag: string): string | undefined {
  try {
    return new Intl.Locale(tag).maximize().region;
  } catch {
    return undefined;
  }
}

/**
 * The currency that somebody most likely counts in, by the first language of their browser; undefined when it says none.
 * @param languages The header Accept-Language.
 */
export function likelyCurrency(languages: string | null): string | undefined {
  const [first = ''] = (languages ?? '').split(/[,;]/, 1);
  const tag = first.trim();
  if (!tag || tag.length > LONGEST_TAG) return undefined;
  return CURRENCIES[regionOf(tag) ?? ''];
}
