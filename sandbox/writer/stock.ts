import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FOLDER = path.join(import.meta.dirname, 'scenes');

/** The texts of one scene of work, or of the frames around the scenes. */
export type Texts = { name: string; byRole: Map<string, string[]> };
export type Stock = { scenes: Texts[]; frames: Texts };

export const LANGUAGES = ['en', 'de', 'es', 'fr', 'hi', 'it', 'nl', 'pt'] as const;
export type Language = (typeof LANGUAGES)[number];

/** A file has a heading for each scene, followed by lines "role: text". {t} and {k} are words of the topic. */
function read(file: string): Texts[] {
  const texts: Texts[] = [];
  for (const line of readFileSync(path.join(FOLDER, file), 'utf8').split('\n')) {
    if (line.startsWith('# '))
      texts.push({ name: `${file.slice(0, 2)} ${line.slice(2)}`, byRole: new Map() });
    const [, role, text] = /^([a-z]+): (.+)$/.exec(line) ?? [];
    const byRole = texts.at(-1)?.byRole;
    if (byRole && role && text) byRole.set(role, [...(byRole.get(role) ?? []), text]);
  }
  return texts;
}

function load(language: Language): Stock {
  const files = readdirSync(FOLDER).sort();
  const [frames] = read(`frames-${language}.md`);
  const scenes = files.filter((file) => file.startsWith(`${language}.`) || file.startsWith(`${language}-`));
  return { frames: frames!, scenes: scenes.flatMap(read) };
}

const loaded = new Map<Language, Stock>();

export function stockOf(language: Language): Stock {
  const stock = loaded.get(language) ?? load(language);
  loaded.set(language, stock);
  return stock;
}
