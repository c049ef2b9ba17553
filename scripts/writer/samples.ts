import type { TONES } from '#app/domain/topics/limits.ts';
import type { FactInput, VoiceInput } from '#app/domain/voice/schema.ts';

/** An invented user of docs/sample-posts.md. */
export type Sample = {
  name: string;
  voice: Partial<VoiceInput> & Pick<VoiceInput, 'headline' | 'audience' | 'language'>;
  topics: { name: string; description: string; keywords: string[]; tone: (typeof TONES)[number] }[];
  facts: Required<Pick<FactInput, 'kind' | 'content'>>[];
};

export const SAMPLES: Sample[] = [
  {
    name: 'Ines Calloway',
    voice: {
      headline: 'Ward manager, surgical nursing',
      audience: 'Nurses and ward managers',
      language: 'en',
      voiceNotes: 'Plain words, no heroics.',
      wordsToAvoid: ['heroes', 'team player'],
    },
    topics: [
      {
        name: 'Handover on a surgical ward',
        description: 'What one shift has to tell the next.',
        keywords: ['handover', 'nursing', 'patients'],
        tone: 'professional',
      },
      {
        name: 'Training new nurses',
        description: 'The first weeks on a ward.',
        keywords: ['training', 'nursing', 'first weeks'],
        tone: 'educational',
      },
    ],
    facts: [
      { kind: 'project', content: 'We moved the handover from the office to the bedside in March' },
      {
        kind: 'lesson',
        content:
          'I once left a penicillin allergy for the end of a handover, and the phone rang before I reached it',
      },
      { kind: 'number', content: 'Our bedside handover takes 22 minutes for 14 beds' },
      { kind: 'question', content: 'What do you say in front of the patient?' },
    ],
  },
  {
    name: 'Jonas Feldkamp',
    voice: {
      headline: 'Tischlermeister mit acht Leuten',
      audience: 'Inhaberinnen und Inhaber kleiner Handwerksbetriebe',
      language: 'de',
      voiceNotes: 'Trocken, keine Werbung.',
    },
    topics: [
      {
        name: 'Angebote im Handwerk',
        description: 'Wie ein Preis entsteht und wie man ihn erklärt.',
        keywords: ['Angebote', 'Handwerk', 'Preise'],
        tone: 'casual',
      },
      {
        name: 'Übergabe zwischen Werkstatt und Baustelle',
        description: 'Was verloren geht, wenn das Möbel die Werkstatt verlässt.',
        keywords: ['Werkstatt', 'Baustelle', 'Montage'],
        tone: 'professional',
      },
    ],
    facts: [
      {
        kind: 'project',
        content: 'Wir schreiben seit zwei Jahren in jedes Angebot eine Zeile „nicht enthalten“',
      },
      {
        kind: 'lesson',
        content:
          'Ich habe einmal eine Küche ohne Blick ins Treppenhaus angeboten, und der Schrank passte nicht um die Ecke',
      },
      { kind: 'opinion', content: 'Ich finde, ein Aufmaß ohne Foto ist kein Aufmaß' },
      { kind: 'question', content: 'Warum kostet die Montage so viel wie der Schrank?' },
    ],
  },
  {
    name: 'मीरा जोशी',
    voice: {
      headline: 'कपड़ों की छोटी दुकान की मालकिन',
      audience: 'छोटे दुकानदार',
      language: 'hi',
      voiceNotes: 'सीधी भाषा, छोटे वाक्य',
    },
    topics: [
      {
        name: 'ग्राहकों की शिकायत',
        description: 'दुकान पर आने वाली शिकायतों का जवाब।',
        keywords: ['ग्राहक', 'शिकायत', 'दुकान'],
        tone: 'professional',
      },
      {
        name: 'दुकान का रोज़ का हिसाब',
        description: 'छोटी दुकान में दिन कैसे बाँटा जाए।',
        keywords: ['हिसाब', 'दुकान', 'समय'],
        tone: 'inspirational',
      },
    ],
    facts: [
      { kind: 'project', content: 'हमने पिछले साल बिल के पीछे वापसी के नियम छापने शुरू किए' },
      { kind: 'lesson', content: 'मैंने एक बार नाराज़ ग्राहक को दुकान के बाहर रुकने को कहा और वह फिर नहीं आया' },
      { kind: 'number', content: 'हमारी दुकान में रोज़ लगभग 35 ग्राहक आते हैं' },
    ],
  },
  {
    name: 'Tomás Arregui',
    voice: {
      headline: 'Jefe de taller, mantenimiento industrial',
      audience: 'Responsables de mantenimiento',
      language: 'es',
      hasEmoji: true,
    },
    topics: [
      {
        name: 'Seguridad en el taller',
        description: 'Lo que se comprueba antes de arrancar una máquina.',
        keywords: ['seguridad', 'taller', 'máquinas'],
        tone: 'educational',
      },
      {
        name: 'Planificar paradas de mantenimiento',
        description: '',
        keywords: ['mantenimiento', 'paradas', 'turnos'],
        tone: 'professional',
      },
    ],
    facts: [
      { kind: 'project', content: 'Redujimos la lista de arranque de la prensa a una sola hoja' },
      { kind: 'number', content: 'La prensa se para 40 minutos cada lunes para limpiarla' },
      { kind: 'opinion', content: 'Creo que una parada corta bien anunciada molesta menos que una avería' },
    ],
  },
  {
    name: 'Priscilla Okoye',
    voice: {
      headline: 'Bookkeeper for restaurants',
      audience: 'Owners of small restaurants',
      language: 'en',
      voiceNotes: 'Short paragraphs. A dry remark is fine.',
    },
    topics: [
      {
        name: 'Bookkeeping for restaurants',
        description: 'Receipts, tips and the end of the month.',
        keywords: ['bookkeeping', 'receipts', 'restaurants'],
        tone: 'humorous',
      },
      {
        name: 'Paying suppliers on time',
        description: 'Invoices, deadlines and who approves what.',
        keywords: ['invoices', 'suppliers', 'payments'],
        tone: 'casual',
      },
    ],
    facts: [],
  },
];
