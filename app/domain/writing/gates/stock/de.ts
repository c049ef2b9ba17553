import { from, OBSERVED, type StockPhrase } from './phrases.ts';

export const STOCK_DE: StockPhrase[] = [
  ...from(
    'Hermann Ehmann, Ich bin da ganz bei Ihnen! Das Wörterbuch der unverzichtbaren Bürofloskeln',
    `auf augenhöhe
    ganz bei ihnen
    ganz bei dir
    die extrameile
    extrameile gehen
    zeitnah*
    aufs gleis setzen
    synergieeffekt*
    synergien heben
    high-performer*
    ergebnisorientiert*`,
  ),
  ...from(
    'Listen von Bürofloskeln deutscher Zeitungen und Blogs',
    `am ende des tages
    ins boot holen
    gut aufgestellt
    quantensprung*
    low-hanging fruit*
    über den tellerrand
    das rad neu erfinden
    den nächsten schritt gehen
    leuchtturmprojekt*
    win-win-situation*
    proaktiv*
    nachhaltig verändern
    auf dem schirm haben`,
  ),
  ...from(
    OBSERVED,
    `in der heutigen schnelllebigen
    in unserer schnelllebigen
    in der heutigen digitalen
    in der heutigen zeit
    in einer welt, in der
    in zeiten des wandels
    mehr denn je
    schlüssel zum erfolg
    das volle potenzial
    volles potenzial
    potenzial entfalten
    potenziale freisetzen
    auf das nächste level
    aufs nächste level
    auf ein neues level
    tauchen wir ein
    tauche ein
    gamechanger*
    game changer*
    game-changer*
    bahnbrechend*
    revolutionier*
    ganzheitlicher ansatz
    ganzheitlichen ansatz
    nahtlos*
    unverzichtbar geworden
    eine entscheidende rolle
    spielt eine zentrale rolle
    es ist wichtig zu beachten
    zusammenfassend lässt sich sagen
    im folgenden erfahren
    gemeinsam gestalten wir
    die zukunft gestalten
    ist kein zufall
    der wandel ist unaufhaltsam
    meistern wir gemeinsam
    wir stehen an einem wendepunkt`,
  ),
  ...from(
    'die Manier, die Parodien auf LinkedIn nachahmen',
    `ich freue mich riesig
    voller stolz
    voller dankbarkeit
    lass das kurz sacken
    lasst das mal sacken
    und weißt du was
    und wisst ihr was
    mein größtes learning
    meine learnings
    unpopuläre meinung
    das ergebnis?
    die wahrheit?
    das beste daran?
    niemand spricht darüber`,
  ),
  ...from(
    'evidence and clients that models call upon without having any, observed',
    `studien zeigen
    studien belegen
    studien beweisen
    experten sind sich einig
    umfragen zeigen
    ein kunde von uns
    hunderte zufriedene*
    tausende zufriedene*
    jedes dritte unternehmen`,
  ),
];
