import { isFunctionWord } from './function-words.ts';
import { fold } from './word-forms.ts';

/** Longer words that people stress with capitals, folded. Up to five capitals count as an abbreviation. */
const STRESSED = new Set(
  (
    'always everything nothing nobody everyone everybody somebody anybody anyone anything something ' +
    'someone please really exactly actually definitely absolutely completely totally simply certainly ' +
    'literally immediately currently tomorrow yesterday tonight second finally before afterwards ' +
    'instead together enough almost already either neither unless except whenever wherever whatever ' +
    'whoever however forever sometimes usually rarely hardly cannot should checked written signed ' +
    'include including without within between during behind against thrice double single entire ' +
    'different correct correctly properly clearly carefully slowly quickly important necessary required ' +
    'mandatory optional urgent possible impossible allowed forbidden warning danger caution attention ' +
    'remember forget follow update listen repeat change decide finish deliver answer question problem ' +
    'reason result number smaller bigger largest smallest longer shorter siempre ninguno ninguna ' +
    'primero despues todavia tambien alguien cualquier cualquiera exactamente realmente solamente ' +
    'unicamente importante urgente obligatorio necesario prohibido cuidado atencion recuerda gracias ' +
    'ademas nuestra nuestro ustedes juntos completo completa escrito firmado revisar apunta toujours ' +
    'jamais personne quelque chacun chacune seulement uniquement vraiment exactement absolument ' +
    'immediatement maintenant demain aujourd ensemble obligatoire interdit necessaire premier premiere ' +
    'dernier derniere verifier verifiez gratuit'
  ).split(' '),
);

/** Whether an ordinary word is in capitals for stress: "ALWAYS check the invoice". */
export function isStressed(word: string, content: string): boolean {
  if (!/^\p{Lu}+$/u.test(word)) return false;
  const folded = fold(word);
  return (
    STRESSED.has(folded) ||
    isFunctionWord(folded) ||
    new RegExp(`(?<!\\p{L})${word.toLowerCase()}(?!\\p{L})`, 'u').test(content)
  );
}
