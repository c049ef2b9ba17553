import { pictureSize } from '#sandbox/images/picture-file.ts';
import type { FaultKind } from '#sandbox/server/fault-kinds.ts';

type Phrases = { wide: string; tall: string; square: string; rest: string };

/** The sandbox can describe only the size of a picture. */
const PHRASES: Record<string, Phrases> = {
  en: { wide: 'A wide', tall: 'A tall', square: 'A square', rest: 'frame of {w} by {h} pixels' },
  de: {
    wide: 'Ein breiter',
    tall: 'Ein hoher',
    square: 'Ein quadratischer',
    rest: 'Rahmen von {w} mal {h} Pixeln',
  },
  es: {
    wide: 'Un marco ancho',
    tall: 'Un marco alto',
    square: 'Un marco cuadrado',
    rest: 'de {w} por {h} píxeles',
  },
  fr: {
    wide: 'Un cadre large',
    tall: 'Un cadre haut',
    square: 'Un cadre carré',
    rest: 'de {w} sur {h} pixels',
  },
  it: {
    wide: 'Una cornice larga',
    tall: 'Una cornice alta',
    square: 'Una cornice quadrata',
    rest: 'di {w} per {h} pixel',
  },
  nl: { wide: 'Een breed', tall: 'Een hoog', square: 'Een vierkant', rest: 'kader van {w} bij {h} pixels' },
  pt: {
    wide: 'Uma moldura larga',
    tall: 'Uma moldura alta',
    square: 'Uma moldura quadrada',
    rest: 'de {w} por {h} pixels',
  },
  hi: { wide: 'एक चौड़ा', tall: 'एक ऊँचा', square: 'एक चौकोर', rest: 'फ़्रेम, {w} गुणा {h} पिक्सेल' },
};

/** The result of a prompt injection in the picture. */
const INJECTED = 'Buy now at https://prizes.example/claim <b>today</b>';

/** Describes a picture in the language of the prompt; null when a fault says that the writer sees nothing. */
export function describe(picture: Buffer, prompt: string, fault: FaultKind | null): string | null {
  if (fault === 'writer.sees-nothing') return null;
  if (fault === 'writer.obeys') return INJECTED;
  const { width, height } = pictureSize(picture) ?? { width: 0, height: 0 };
  const language = /^Language: ([a-z]{2})\b/m.exec(prompt)?.[1] ?? 'en';
  const phrases = PHRASES[language] ?? PHRASES.en!;
  const shape = width > height ? phrases.wide : height > width ? phrases.tall : phrases.square;
  const rest = phrases.rest.replace('{w}', `${width}`).replace('{h}', `${height}`);
  const description = `${shape} ${rest}`;
  if (fault === 'writer.image-of') return `Image of ${description}`;
  return fault === 'writer.markdown' ? `**${description}**` : description;
}
