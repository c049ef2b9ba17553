import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { sentencesOf } from '#app/domain/writing/gates/parsed-draft.ts';
import { type GateContext, runGates } from '#app/domain/writing/gates/run.ts';
import { ROOT } from '#scripts/run.ts';

/** What stands around a sentence, in its language. */
const AROUND: Record<string, [string, string]> = {
  en: [
    'A portafilter is wiped before it is filled.',
    'Whoever leaves that out has old coffee in the new cup, and it can be tasted. On a quiet morning nobody minds, and on a full one the queue would be longer than the patience of the people in it.',
  ],
  de: [
    'Ein Siebträger wird gewischt, bevor er gefüllt wird.',
    'Wer das auslässt, hat alten Kaffee in der neuen Tasse, und man schmeckt es. An einem ruhigen Morgen stört es niemanden, und an einem vollen wäre die Schlange länger als die Geduld der Leute, die darin stehen.',
  ],
  es: [
    'El portafiltro se limpia antes de llenarlo.',
    'Quien no lo hace tiene café viejo en la taza nueva, y se nota en el sabor. En una mañana tranquila no molesta a nadie, y en una llena la cola sería más larga que la paciencia de la gente.',
  ],
  fr: [
    'Le porte-filtre se nettoie avant d’être rempli.',
    'Sans cela, il reste du vieux café dans la nouvelle tasse, et on le sent au goût. Par un matin calme cela ne gêne personne, et par un matin plein la file serait plus longue que la patience des gens.',
  ],
  hi: [
    'पोर्टाफ़िल्टर को भरने से पहले पोंछा जाता है।',
    'जो ऐसा नहीं करता, उसके नए कप में पुरानी कॉफ़ी रहती है और स्वाद में पता चलता है। शांत सुबह में किसी को फ़र्क नहीं पड़ता, और भरी हुई सुबह में कतार लोगों के धैर्य से लंबी हो जाती है।',
  ],
};
Object.assign(AROUND, {
  it: [
    'Il portafiltro si pulisce prima di riempirlo.',
    'Chi non lo fa ha caffè vecchio nella tazza nuova, e si sente perché il gusto cambia. In una mattina calma non disturba nessuno, finché la fila non diventa più lunga della pazienza della gente.',
  ],
  nl: [
    'Een portafilter wordt afgeveegd voordat je hem vult.',
    'Wie dat niet doet, heeft oude koffie in het nieuwe kopje, en elke klant proeft het. Op een rustige ochtend stoort het niemand, en op een volle zou de rij langer zijn dan het geduld van de mensen.',
  ],
  pt: [
    'O porta-filtro limpa-se antes de o encher.',
    'Quem não o faz tem café velho na chávena nova, e nota-se até no sabor. Numa manhã calma não incomoda ninguém, e numa manhã cheia a fila seria mais longa do que a paciência das pessoas.',
  ],
});
const TOPIC: Record<string, string> = {
  it: 'portafiltro',
  nl: 'portafilter',
  pt: 'porta-filtro',
  hi: 'पोर्टाफ़िल्टर',
  es: 'portafiltro',
  fr: 'porte-filtre',
  de: 'Siebträger',
};
const FACTS = ['We repair 30 machines a month', 'In 2021 we stopped selling pods'];

function gatesFor(sentence: string, language = 'en', more: Partial<GateContext> = {}, facts: number[] = []) {
  const name = TOPIC[language] ?? 'Portafilter';
  const [before, after] = AROUND[language]!;
  const against: GateContext = {
    topic: { name, description: '', keywords: [] },
    facts: FACTS,
    userInput: name,
    language,
    openings: [],
    closings: [],
    theses: [],
    phrases: [],
    avoided: [],
    hasEmoji: false,
    ...more,
  };
  const draft = {
    content: `${before} ${sentence} ${after}`,
    hashtags: ['Coffee', 'Machines', 'Repair'],
    thesis: '',
    claims: facts.flatMap((fact) => sentencesOf(sentence).map((text) => ({ text, fact }))),
  };
  return runGates(draft, against);
}
const named = (...asked: Parameters<typeof gatesFor>) => gatesFor(...asked).map(({ gate }) => gate);

/** What is found in a post with this line at its end. */
function closedBy(line: string) {
  const [before, after] = AROUND.en!;
  const draft = {
    content: `${before} ${after}\n\n${line}`,
    hashtags: ['One', 'Two', 'Three'],
    thesis: '',
    claims: [],
  };
  return runGates(draft, {
    topic: { name: 'Portafilter', description: '', keywords: [] },
    facts: FACTS,
    userInput: 'Portafilter',
    language: 'en',
    openings: [],
    closings: [],
    theses: [],
    phrases: [],
    avoided: [],
    hasEmoji: false,
  }).map(({ gate }) => gate);
}

const PASS: [string, string][] = [
  ['en', "I won't pretend that it is fun."],
  ['en', 'Once we have looked, it is obvious.'],
  ['en', 'When we have cleaned it, it shines.'],
  ['en', 'After we have looked, it is obvious.'],
  ['en', 'The machine told me nothing.'],
  ['en', 'As we said, it is a matter of seconds.'],
  ['en', 'Somebody wiped it before I took over.'],
  ['de', 'Ich habe nichts gegen Essig.'],
  ['fr', 'À 12 h 30, la file est longue.'],
  ['de', 'Das ist einer von zwei Wegen.'],
  ['en', 'It is two in one.'],
  ['en', 'If two in five screws bend, the plate is warped.'],
  ['en', 'Remember that 2*3 is 6, 4*5 is 20.'],
  ['en', 'The water in New York is softer than in London.'],
  ['en', 'An Allen key, a Stanley knife and a Phillips driver are enough, or something by Bosch.'],
  ['en', 'It holds for SaaS and for RoHS papers alike.'],
  ['en', 'Ask the Head of Coffee about it.'],
  ['en', 'The rest stands in Part II, and in Step One of the sheet.'],
  ['en', "It is a small thing [it usually isn't] on a full day."],
  ['en', 'type <Enter> and wait.'],
  ['de', 'Das Wasser hat 93 Grad.'],
  ['de', 'Ins Sieb kommen 18 g.'],
  ['en', 'The cloth is washed at at most 40 degrees.'],
  ['en', 'Leave 30 centimetres to the wall.'],
  ['en', 'The seal keeps for 14 days.'],
  ['en', 'Page 47 of the manual shows it.'],
  ['en', 'The basket takes 17 g, and 33 ml come out at 9 bar.'],
  ['en', 'I would give it 15 minutes.'],
  ['en', 'We repair 30 machines a month.'],
  ['en', 'A customer who halves an order is telling you something.'],
  ['en', 'Ask one customer.'],
  ['en', 'Imagine a bank that halved its fees.'],
  ['en', 'If a customer asked twice, the answer was not in the letter.'],
  ['en', 'A client paid late is a client lost.'],
  ['en', 'A company built on one machine waits when it breaks.'],
  ['de', 'Wenn ein Kunde zweimal gefragt hat, stand es nicht im Brief.'],
  ['de', 'Ein Kunde könnte fragen, was das kostet.'],
  ['de', 'Wir würden damit warten, und ich hätte gern mehr Licht.'],
  ['de', 'Stellen Sie sich eine Bank vor, die ihre Gebühren halbiert.'],
  ['es', 'Un cliente que reduce un pedido te está diciendo algo.'],
  ['es', 'Si un cliente preguntó dos veces, no estaba en la carta.'],
  ['fr', 'Un client qui réduit sa commande vous dit quelque chose.'],
  ['fr', 'Quand un client a demandé deux fois, la lettre ne le disait pas.'],
  ['hi', 'अगर किसी ग्राहक ने दो बार पूछा, तो वह चिट्ठी में नहीं था।'],
  ['en', 'It is not the invoice date that counts but the day of delivery.'],
  ['en', "The deadline isn't Friday, it's Monday."],
  ['en', "It isn't the pump, it's the gasket."],
  ['en', "It isn't broken, it's stuck."],
  ['de', 'Es zählt nicht das Datum der Rechnung, sondern der Tag der Lieferung.'],
  ['de', 'Das sind keine 9 Grad, es sind 8.'],
  ['es', 'El plazo no es el viernes, es el lunes.'],
  ['es', 'No es la fecha de la factura la que cuenta, sino el día de la entrega.'],
  ['fr', "L'échéance n'est pas vendredi, c'est lundi."],
  ['fr', "Ce n'est pas une fuite, c'est de la condensation."],
  ['hi', 'आख़िरी दिन शुक्रवार नहीं, सोमवार है।'],
  ['en', 'Excel does it, and so does Notion; Scrum does not help, nor does ISO 9001 or the GDPR.'],
  ['en', 'Take a Stanley knife and a Post-it.'],
  ['en', 'A patient told to wait should know for how long.'],
  ['en', 'What would happen if sales dropped tomorrow?'],
  ['de', 'Ein Kunde, der zweimal fragt, hat die Antwort nicht verstanden.'],
  ['de', 'Hat ein Kunde bezahlt, bekommt er den Schlüssel.'],
  ['es', 'Quien trabaja en un taller lo ha visto.'],
  ['fr', 'Qui travaille dans un garage a vu cela.'],
  ['es', 'Mi trabajo acaba cuando se apaga la luz.'],
  ['fr', 'Un client a le droit de changer d’avis.'],
  ['hi', 'दो में से एक रास्ता चुनिए।'],
  ['en', 'It is descaled on Fridays, and never on Mondays.'],
  ['en', 'Mark the line in January, or on a Monday in Lisbon.'],
  ['en', 'Put it into Microsoft Teams, on LinkedIn or into Google Sheets.'],
  ['de', 'Die GmbH haftet, und der EuGH sieht es ebenso, in München wie in Lissabon.'],
  ['de', 'Ein MacBook hält das aus, und PowerPoint auch.'],
  ['es', 'En Lisboa y en Sevilla el agua es blanda, dice Hacienda.'],
  ['es', 'Dolores de espalda tiene quien se agacha en Navidad.'],
  ['fr', "À Lyon comme à Bruxelles, l'Urssaf attend le lundi."],
  ['hi', 'Excel में लिखिए, और GDPR का पन्ना साथ रखिए; दिल्ली में पानी सख़्त है।'],
  ['hi', 'एक रेखा खींचिए, हर ऋतु में नई।'],
  ['de', 'Auf dem Schild steht “Please do not touch the machine because it is hot”, und alle fassen sie an.'],
  [
    'en',
    'One should ALWAYS wipe it, and NOBODY should forget the portafilter: it is the PORTAFILTER that burns.',
  ],
  ['en', 'A reminder after 14 days is kinder than one after 60.'],
  ['de', 'Kalt ist er nach 20 Minuten und nicht erst nach 45.'],
  ['es', 'Se limpia SIEMPRE, aunque NINGUNO lo vea.'],
  ['fr', 'On le fait TOUJOURS, et SEULEMENT le matin.'],
];
for (const [language, sentence] of PASS) {
  test(`passes: ${sentence}`, () => assert.deepEqual(named(sentence, language), []));
}

/** How each language quotes; some set a narrow space inside. */
const MARKS: [string, string][] = [
  ['“', '”'],
  ['„', '“'],
  ['„', '”'],
  ['« ', ' »'],
  ['«\u202f', '\u202f»'],
  ['«\u00a0', '\u00a0»'],
  ['«', '»'],
  ['»', '«'],
];

for (const [open, close] of MARKS) {
  test(`what stands between ${open} and ${close} is a quotation, and ends sentences as any other`, () => {
    const quoted = (text: string) => `${open}${text}${close}`;
    assert.deepEqual(sentencesOf(`${quoted('Kalt.')} Danach warm. ${quoted('Heiß?')}\nOder lau.`), [
      quoted('Kalt.'),
      'Danach warm.',
      quoted('Heiß?'),
      'Oder lau.',
    ]);
    assert.deepEqual(named(`The sign says ${quoted('Last year I sold my car')} in red.`), []);
    assert.deepEqual(named(`The sign says: ${quoted('Wipe it.')} Portafilters come back.`), []);
    assert.deepEqual(named(`It was *${quoted('wiped')}* again.`), ['markdown']);
    assert.deepEqual(named(`It was _${quoted('wiped')}_ again.`), ['markdown']);
    const long = `${'It is wiped and wiped again '.repeat(7)}by everybody`;
    const hook = runGates(
      { content: `${quoted('Wipe it.')} ${long}.`, hashtags: [], thesis: '', claims: [] },
      {
        topic: { name: '', description: '', keywords: [] },
        facts: [],
        userInput: '',
        language: 'en',
        openings: [],
        closings: [],
        theses: [],
        phrases: [],
        avoided: [],
        hasEmoji: false,
      },
    );
    assert.ok(!hook.some(({ gate }) => gate === 'hook'));
  });
}

test('a word of agreement opens a post as well as an answer', () => {
  const opened = (opening: string) => {
    const [before, after] = AROUND.en!;
    const draft = {
      content: `${opening} ${before} ${after}`,
      hashtags: ['One', 'Two', 'Three'],
      thesis: '',
      claims: [],
    };
    return runGates(draft, {
      topic: { name: 'Portafilter', description: '', keywords: [] },
      facts: [],
      userInput: 'Portafilter',
      language: 'en',
      openings: [],
      closings: [],
      theses: [],
      phrases: [],
      avoided: [],
      hasEmoji: false,
    }).map(({ gate }) => gate);
  };
  assert.deepEqual(opened('Sure, a new machine is quicker.'), []);
  assert.deepEqual(opened("Here's the draft plan for a morning."), []);
  assert.deepEqual(opened('Sure, here it is.'), ['preamble']);
  assert.deepEqual(opened('Sure! A new machine is quicker.'), ['preamble']);
  assert.deepEqual(opened("Here's the draft:"), ['preamble']);
});

const REFUSED: [string, string, string][] = [
  ['en', 'I have 25 years of experience.', 'numbers'],
  ['en', 'Our 8 technicians visit 11 bars a day.', 'numbers'],
  ['en', 'For 20 years our name stands for it.', 'numbers'],
  ['de', 'Wir brauchen dafür 10 Minuten.', 'numbers'],
  ['es', 'Nosotros necesitamos 10 minutos.', 'numbers'],
  ['fr', 'Nous y passons 10 minutes.', 'numbers'],
  ['hi', 'हम इसमें 10 मिनट लगाते हैं।', 'numbers'],
  ['en', 'It reaches 47 people.', 'numbers'],
  ['en', 'Studies show that it matters.', 'stock'],
  ['en', 'A client of ours has a full bar.', 'stock'],
  ['en', 'There are thousands of happy customers.', 'stock'],
  ['de', 'Studien belegen, dass es wichtig ist.', 'stock'],
  ['es', 'Los estudios demuestran que es importante.', 'stock'],
  ['fr', 'Les études montrent que c’est important.', 'stock'],
  ['hi', 'शोध बताते हैं कि यह ज़रूरी है।', 'stock'],
  ['en', 'One customer told us that it is worth it.', 'story'],
  ['en', 'A small café halved its waste.', 'evidence'],
  ['en', 'Within a season revenue doubled.', 'evidence'],
  ['en', 'Three clients asked for the same thing.', 'evidence'],
  ['en', 'One bakery outside the city even cut its complaints in half.', 'evidence'],
  ['en', 'We ran this with a bank.', 'story'],
  ['en', 'Last week a client calls me and says it drips.', 'story'],
  ['en', 'A guest rings me and says it drips.', 'story'],
  ['en', 'Yesterday a supplier sends the wrong seal.', 'evidence'],
  ['en', 'My boss used to wipe it twice.', 'story'],
  ['de', 'Ein Café in der Nachbarstadt halbierte seinen Abfall.', 'evidence'],
  ['de', 'Eine Bank hat damit ihre Beschwerden halbiert.', 'evidence'],
  ['de', 'Danach hat sich der Umsatz verdoppelt.', 'evidence'],
  ['de', 'Der Umsatz hat sich danach verdoppelt.', 'evidence'],
  ['de', 'Drei Kunden fragten nach demselben.', 'evidence'],
  ['de', 'Letzte Woche ruft mich eine Kundin an und sagt, es tropft.', 'story'],
  ['de', 'Mein Chef hat das immer zweimal gewischt.', 'story'],
  ['de', 'Wir haben das mit einer Bank durchgeführt.', 'story'],
  ['es', 'Un cliente nos dijo que vale la pena.', 'story'],
  ['es', 'Una cafetería del barrio redujo a la mitad sus residuos.', 'evidence'],
  ['es', 'Los ingresos se duplicaron.', 'evidence'],
  ['es', 'Tres clientes pidieron lo mismo.', 'evidence'],
  ['es', 'Lo probamos con un banco.', 'evidence'],
  ['es', 'La semana pasada una clienta me llama y me dice que gotea.', 'story'],
  ['es', 'Mi jefe me decía que se limpia dos veces.', 'story'],
  ['fr', 'Un client nous a dit que cela vaut la peine.', 'story'],
  ['fr', 'Un café de quartier a réduit de moitié ses déchets.', 'evidence'],
  ['fr', "Le chiffre d'affaires a doublé.", 'evidence'],
  ['fr', 'Trois clients ont demandé la même chose.', 'evidence'],
  ['fr', 'On a testé cela avec une banque.', 'story'],
  ['fr', "La semaine dernière, une cliente m'appelle et dit que ça goutte.", 'story'],
  ['fr', 'Mon client disait la même chose.', 'story'],
  ['hi', 'एक ग्राहक ने कहा कि यह सही है।', 'evidence'],
  ['hi', 'पास के एक कैफ़े ने बर्बादी आधी कर दी।', 'evidence'],
  ['hi', 'बिक्री दोगुनी हो गई।', 'evidence'],
  ['hi', 'तीन ग्राहकों ने यही माँगा।', 'evidence'],
  ['hi', 'हमने यह एक बैंक के साथ किया।', 'story'],
  ['hi', 'पिछले हफ़्ते एक ग्राहक मुझे फ़ोन करता है और कहता है कि टपक रहा है।', 'story'],
  ['hi', 'मेरे बॉस कहते थे कि दो बार पोंछो।', 'story'],
  ['en', 'A colleague of mine quit over it.', 'evidence'],
  ['en', 'An engineer I know solved it in a day.', 'evidence'],
  ['de', 'Ein Start-up, das wir beraten, hat seine Kosten halbiert.', 'evidence'],
  ['de', 'Der Umsatz schoss durch die Decke.', 'evidence'],
  ['de', 'Frau Dr. Sommer wischt zweimal.', 'names'],
  ['fr', "Il ne s'agit pas de café. Il s'agit de confiance.", 'contrast'],
  ['fr', 'Neuf clients sur dix le remarquent.', 'numbers'],
  ['hi', 'दस में से नौ ग्राहक पहचान लेते हैं।', 'numbers'],
  ['en', "That isn't a cost, it's an investment.", 'contrast'],
  ['en', 'Not a cost. An investment.', 'contrast'],
  ['en', "Cleaning isn't a chore, it's a habit.", 'contrast'],
  ['en', 'It is not the tool that counts but the people.', 'contrast'],
  ['en', "It's not luck. It's preparation.", 'contrast'],
  ['de', 'Das ist kein Aufwand, das ist eine Haltung.', 'contrast'],
  ['de', 'Kein Kostenfaktor. Eine Investition.', 'contrast'],
  ['es', 'No es un gasto, es una inversión.', 'contrast'],
  ['es', 'No un gasto. Una inversión.', 'contrast'],
  ['fr', "Ce n'est pas un coût, c'est un investissement.", 'contrast'],
  ['fr', 'Pas un coût. Un investissement.', 'contrast'],
  ['hi', 'यह ख़र्च नहीं, निवेश है।', 'contrast'],
  ['en', 'It works, says Brenda Castleford of Northwind.', 'names'],
  ['en', 'Sarah wipes it twice.', 'names'],
  ['en', 'BrewNova wipes it twice.', 'names'],
  ['en', 'Wait 20 minutes for the next 48 people.', 'numbers'],
  ['en', 'It lasts 14 days. The queue has 60.', 'numbers'],
  ['en', 'A practice in the north of the city moved the queue.', 'evidence'],
  ['en', 'A plumber once explained to me how it drips.', 'story'],
  ['de', 'Ein Bauleiter hat mir erklärt, warum es tropft.', 'story'],
  ['es', 'Una gerente me explicó por qué gotea.', 'story'],
  ['fr', "Un conducteur de travaux m'a confié que cela goutte.", 'story'],
  ['en', 'One should ask NORTHWIND and not STEELCASE about it.', 'names'],
  ['de', 'Jana Hofstätter wischt zweimal.', 'names'],
  ['de', 'Bei BrewNova wird zweimal gewischt.', 'names'],
  ['de', 'So hält es die Rösterei Ahlers & Söhne.', 'names'],
  ['es', 'Así lo hace Nuria Belmonte en su local.', 'names'],
  ['es', 'Lo limpian dos veces en Cafés Altamira.', 'names'],
  ['fr', 'Ainsi fait Amélie Rousselin dans sa salle.', 'names'],
  ['fr', 'On le voit chez Torréfaction Belval.', 'names'],
  ['hi', 'संदीप दो बार पोंछते हैं।', 'names'],
  ['hi', 'शर्मा ट्रेडर्स में यही होता है।', 'names'],
];
for (const [language, sentence, gates] of REFUSED) {
  test(`refuses: ${sentence}`, () => assert.equal(named(sentence, language).join(' '), gates));
}

test('a claim is held against the fact that it names', () => {
  const lie = 'In 2019 we won a national award for espresso repair.';
  const [finding, ...others] = gatesFor(lie, 'en', {}, [1]);
  assert.deepEqual([finding?.gate, others], ['story', []]);
  assert.match(finding!.forWriter, /only if fact 1 really says so/);
  const told = (sentence: string, ...facts: number[]) => named(sentence, 'en', {}, facts);
  assert.deepEqual(told('We have repaired machines every month.', 1), []);
  assert.deepEqual(told('We have been to 30 of them.', 1), []);
  assert.deepEqual(told('We have been to many.', 1), ['story']);
  assert.deepEqual(told('We repair 30 machines a month. Each of them taught me something.', 1), []);
  assert.deepEqual(told('We repair 30 machines a month. We won an award for it.', 1), ['story']);
  assert.deepEqual(told('In 2021 we gave up the pods and stopped selling them.', 2), []);
  assert.deepEqual(told('In 2019 we gave up the pods and stopped selling them.', 2), ['story']);
  assert.deepEqual(
    told('We gave up selling pods in 2021, and since then we have repaired machines.', 1, 2),
    [],
  );
});

test('a fact in another language than the post is held against its numbers alone', () => {
  const said = 'Vor drei Jahren haben wir die Kapseln aufgegeben.';
  assert.deepEqual(
    named(said, 'de', { facts: ['Three years ago we gave up the pods because of all the waste'] }, [1]),
    [],
  );
});

test('every good example of a tone tells no story and no stock phrase', () => {
  const tones = readFileSync(path.join(ROOT, 'app/domain/writing/prompts/tones.md'), 'utf8');
  const good = [...tones.matchAll(/^Good: (.+)$/gm)].map(([, example]) => example!);
  assert.equal(good.length, 5);
  for (const example of good) {
    const found = named(example, 'en', { facts: [] }).filter((gate) => gate === 'story' || gate === 'stock');
    assert.deepEqual(found, [], example);
  }
});

test('a post ends on its subject, without a call and without the labels of the brief', () => {
  for (const line of [
    'Over to you.',
    'Share if you agree.',
    'Follow me for more.',
    'Link in bio.',
    'Et chez vous ?',
  ]) {
    assert.deepEqual(closedBy(line), ['bait'], line);
  }
  for (const line of ['CTA: wipe it.', 'Brief: a post.', 'It is wiped (fact 2: no pods).']) {
    assert.deepEqual(closedBy(line), ['leak'], line);
  }
});

test('a text is in the language of its author, and so is each line', () => {
  const line =
    'Whoever leaves that out has old coffee in the new cup, and it can be tasted by the people in the queue.';
  const found = (sentence: string, language: string) => gatesFor(sentence, language);
  const [finding] = found(`\n\n${line}\n\n`, 'de');
  assert.equal(finding?.gate, 'language');
  assert.equal(finding?.forUser, 'A part of it was not in German, the language of your posts');
  assert.ok(finding?.forWriter.includes(line.slice(0, 40)));
  for (const language of ['de', 'es', 'fr', 'hi']) {
    assert.deepEqual(named(`\n\n${line}\n\n`, language), ['language'], language);
    assert.deepEqual(named(`“${line}”`, language), [], language);
    assert.deepEqual(named('\n\nA cup, by the bar.\n\n', language), [], language);
    assert.deepEqual(
      named(`\n\n${line}\n\n`, language, { userInput: `${TOPIC[language]} ${line}` }),
      [],
      language,
    );
  }
  assert.deepEqual(
    named(
      '\n\nAuf dem Schirm steht:\n\nThe file could not be saved because it is in use by another program.\n\n',
      'de',
    ),
    [],
  );
  assert.deepEqual(
    named('\n\nКто этого не делает, у того в новой чашке старый кофе, и это чувствуется.\n\n', 'en'),
    ['language'],
  );
});

test('a whole text in another language is told from one of ours, and what we cannot tell passes', () => {
  const whole = (written: string, language: string) => {
    const [before, after] = AROUND[written]!;
    return runGates(
      { content: `${before} ${after}`, hashtags: ['One', 'Two', 'Three'], thesis: '', claims: [] },
      {
        topic: { name: 'café coffee Kaffee कॉफ़ी Portafilter', description: '', keywords: [] },
        facts: [],
        userInput: '',
        language,
        openings: [],
        closings: [],
        theses: [],
        phrases: [],
        avoided: [],
        hasEmoji: false,
      },
    ).some(({ gate }) => gate === 'language');
  };
  const languages = ['en', 'de', 'es', 'fr', 'hi'];
  for (const written of languages) {
    for (const asked of languages) {
      assert.equal(whole(written, asked), written !== asked, `${written} for ${asked}`);
    }
    for (const asked of ['it', 'ja']) assert.ok(!whole(written, asked));
  }
});

const STORIES: [language: string, told: string[], general: string[]][] = [
  [
    'it',
    [
      'Abbiamo perso una settimana intera.',
      'Il mio capo mi ha detto di smettere.',
      'Un anno fa non avevo una lista: ieri mi serviva.',
    ],
    [
      'Perché aspettare, se basta un panno.',
      'Ho un panno accanto alla macchina.',
      'Chi ha perso tempo lo sa.',
    ],
  ],
  [
    'nl',
    [
      'Vorige week hebben we dat niet gedaan.',
      'Ik heb daar drie dagen aan gewerkt.',
      'Mijn baas zei dat het genoeg was.',
    ],
    ['Elke ochtend begint met een doek.', 'We hebben geen haast.', 'Wie heeft gewacht, weet waarom.'],
  ],
  [
    'pt',
    [
      'Na semana passada o meu chefe parou a linha.',
      'Trabalhei assim durante meses.',
      'O cliente disse-me que bastava.',
    ],
    ['Até amanhã chega um pano.', 'Sei que isto parece pouco.', 'Quem esperou sabe porquê.'],
  ],
];

test('what is told of the author is heard in languages with few lists, too, and what is general passes', () => {
  const heard = (sentence: string, language: string) => named(sentence, language).includes('story');
  const missed = STORIES.flatMap(([language, told]) => told.filter((sentence) => !heard(sentence, language)));
  const refused = STORIES.flatMap(([language, , general]) =>
    general.filter((sentence) => named(sentence, language).length > 0),
  );
  assert.deepEqual({ missed, refused }, { missed: [], refused: [] });
});

test('what is quoted to the user stands as its author wrote it', () => {
  const told = (sentence: string, language = 'en') => gatesFor(sentence, language)[0]!.forUser;
  assert.match(told('Studien belegen, dass ein Siebträger hält.', 'de'), /“Studien belegen”/);
  assert.match(told('Überall gilt: Über den Tellerrand blicken lohnt sich.', 'de'), /“Über den Tellerrand/);
  assert.match(told('Déjalo reposar un rato.', 'es'), /“Déjalo reposar”/);
  assert.match(told('Das halten Fünfundsiebzig Prozent aus.', 'de'), /: Fünfundsiebzig Prozent$/);
  assert.match(told('यह ४७ % बेहतर है।', 'hi'), /: ४७ %$/);
  assert.match(told('See https://Evil.com/Buy.'), /: https:\/\/Evil\.com\/Buy$/);
  assert.match(told('Steve Jobs says so.'), /: Steve Jobs$/);
  assert.match(told('Eine Bäckerei halbierte ihren Abfall.', 'de'), /“Eine Bäckerei halbierte”/);
  assert.match(told('Das ist kein Ärger, das ist eine Haltung.', 'de'), /“ist kein Ärger, das ist eine/);
});

test('the points of a checklist stand one a line, and drums stay drums', () => {
  const points = ['The plate is dry.', 'The cup is warm.', 'The seal is soft.', 'The basket is wiped.'];
  const text = (isChecklist: boolean, lines: string[]) => {
    const [before, after] = AROUND.en!;
    return runGates(
      {
        content: [before, ...lines, after].join('\n\n'),
        hashtags: ['One', 'Two', 'Three'],
        thesis: '',
        claims: [],
      },
      {
        topic: { name: 'Portafilter', description: '', keywords: [] },
        facts: [],
        userInput: '',
        language: 'en',
        openings: [],
        closings: [],
        theses: [],
        phrases: [],
        avoided: [],
        hasEmoji: false,
        isChecklist,
      },
    ).map(({ gate }) => gate);
  };
  assert.deepEqual(text(true, points), []);
  assert.deepEqual(text(false, points), ['drumming']);
  assert.deepEqual(text(true, [...points, ...points]), ['drumming']);
  assert.deepEqual(text(true, ['Check the hose. Check the seal. Check the tap.']), []);
  assert.deepEqual(text(true, ['No hose. No seal. No tap.']), ['drumming']);
  assert.deepEqual(text(false, ['Check the hose. Check the seal. Check the tap.']), ['drumming']);
});
