import { foldedPattern, LETTERS } from '#app/domain/writing/gates/language/word-forms.ts';

const L = `[${LETTERS}]`;
const [S, E] = [`(?<!${L})`, `(?!${L})`];
const of = (...lines: string[]) => `(?:${lines.join(' ').split(' ').join('|')})`;
/** Up to `max` words between a person and a verb, none of which starts another clause. */
const upTo = (max: number, closed: string) =>
  `(?: (?!(?:${closed})${E}|qu['’])[${LETTERS}\\d'’-]+){0,${max}}?`;

const EN = {
  who: of(
    'customers? clients? buyers? guests? patients? readers? users? subscribers? students? colleagues? friends? neighbou?rs? boss managers? directors? founders? ceos? owners? candidates? applicants? suppliers? company companies firms? business businesses banks? start-?ups? shops? stores? cafes? restaurants? bakery bakeries hotels? agency agencies teams? schools? clinics? hospitals? practices?',
    'workshops? studios? charity charities manufacturers? retailers? insurers? brands? landlords? tenants? couples? family families freelancers? consultants? engineers? developers? designers? lawyers? accountants? dentists? plumbers? carpenters? farmers? teachers? chefs? coaches coach gyms? brewery breweries factory factories bookshops? garages?',
  ),
  some: '(?:one|an?|another|two|three|four|five|six|seven|eight|nine|ten|twelve|\\d+|several|a few|some|a couple of|a dozen|many|countless|most)(?: of (?:my|our|the|their))?',
  /** Not in "a client paid late" and "a company built on trust". */
  did: `(?:(?:also|once|recently|even|just|then|finally|already|actually|simply|always|never|only|\\w{3,}ly) )?(?:${of(
    'asked said came went took gave wrote knew began saw did was were got rang drew threw grew fell wanted needed realised realized noticed complained laughed replied answered decided agreed insisted doubled tripled halved started stopped looked stood sat spoke thought felt understood became chose quit resigned admitted',
  )}|had(?! better)|${of(
    'told called sent paid found built made bought sold kept lost left won saved reduced increased cut moved switched tested tried hired fired learned discovered dropped gained improved raised lowered replaced refused used changed cancelled booked ordered signed opened closed spent ran met solved fixed',
  )}(?= )(?! (?:by|to|of|on|with|from|for|at|in|around|over|up|out|waiting|alone|late|early)\\b))\\b`,
  metric: of(
    'revenues? sales turnover profits? margins? conversions? churn complaints returns orders bookings sign-?ups engagement productivity output traffic no-shows footfall downtime waste scrap costs leads enquiries inquiries rework overtime (?:conversion|open|response|reply|error|click)[\\s-]rates?',
  ),
};
const changed =
  '(?:(?:has|have|had|almost|nearly|suddenly|even|more than) ){0,3}(?:doubled|tripled|quadrupled|halved|rose|fell|dropped(?! off)|grew|jumped|soared|plummeted|climbed|shrank|exploded|skyrocketed|increased|decreased|improved|declined|collapsed|went (?:up|down|through the roof))\\b';
const NO_CLAUSE_EN = 'who|that|which|whose|and|or|but|if|when|as|than|gets?|is|are|has|have|will|can|does';

const DE = {
  who: `[${LETTERS}-]*${of(
    'kund(?:e|in|en|innen) klient(?:in|en|innen)? mandant(?:in|en|innen)? patient(?:in|en|innen)? leser(?:in|innen)? nutzer(?:in|innen)? kolleg(?:e|in|en|innen) freund(?:in|e)? bekannte[rn]? nachbar(?:in|n)? bewerber(?:in|innen)? lieferant(?:in|en)? geschaftsfuhrer(?:in)? grunder(?:in)? inhaber(?:in)? chef(?:in)? gast gaste firma firmen unternehmen betriebe? bank(?:en)? cafes? restaurants?',
    'backerei(?:en)? hotels? agentur(?:en)? teams? schulen? klinik(?:en)? praxis praxen werkstatt(?:en)? start-?ups? hersteller handler(?:in)? verein studio kanzlei mittelstandler handwerker(?:in)? schreinerei tischlerei laden shops? marke verlag landwirt(?:in)? familie paar mieter(?:in)? vermieter(?:in)? brauerei fabrik',
  )}`,
  some: '(?:ein|eine|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|\\d+|mehrere|einige|ein paar|etliche|viele)(?: (?:meiner|unserer|der))?',
  did: '(?:sagte|fragte|erzahlte|schrieb|rief|kam|ging|bat|wollte|hatte|war|meinte|berichtete|verlor|gewann|sparte|senkte|steigerte|halbierte|verdoppelte|verdreifachte|reduzierte|erhohte|merkte|stellte|wechselte|probierte|testete|kaufte|verkaufte|zahlte|bestellte|kundigte|beschwerte|fand|begann|wurde|machte|bekam|lachte|antwortete|entschied|nahm|gab|stand|sass|blieb|schickte|brachte|suchte|lernte|verzichtete|beschloss|startete|fuhrte|baute|strich|offnete|schloss)(?:e?n)?\\b',
  done: '(?:ge\\w+(?:t|en)|\\w+iert|\\w+ge\\w+(?:t|en)|(?:be|ver|er|ent|zer)\\w{3,}(?:t|en))\\b',
  metric: of(
    'umsatze? gewinn absatz verkaufe verkaufszahlen buchungen anfragen bestellungen reklamationen beschwerden retouren kosten krankenstand ausschuss fehlerquote produktivitat conversion(?:-?rate)? reichweite marge fluktuation auslastung',
  ),
};
const PLACE_DE = `(?: (?:aus|in|im|bei|mit|von|vom|am|an) (?:(?:dem|der|den|einem|einer|unserem|unserer) )?[${LETTERS}-]+)?`;
const NO_CLAUSE_DE =
  'der|die|das|dem|den|und|oder|wenn|ob|als|ist|sind|hat|haben|kann|will|wird|muss|braucht';

const ES = {
  who: of(
    'client(?:e|a|es|as) pacientes? empresas? bancos? cafeterías? cafés? restaurantes? panaderías? tiendas? hotel(?:es)? agencias? equipos? escuelas? colegios? clínicas? taller(?:es)? startups? lector(?:a|es|as)? usuari[oa]s? jef[ea]s? compañer[oa]s? amig[oa]s? proveedor(?:a|es|as)? fundador(?:a|es)? dueñ[oa]s? alumn[oa]s? estudios? despachos? fabricantes? pymes? negocios? vecin[oa]s? candidat[oa]s? bodegas? familias? parejas? comercios? inmobiliarias? fábricas?',
  ),
  some: '(?:un[oa]?|otr[oa]|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|\\d+|vari[oa]s|algun[oa]s|un[oa]s|much[oa]s)(?: de (?:mis|nuestr[oa]s|los|las))?',
  did: `(?:${L}{2,}ó|${L}{2,}(?:aron|eron)|${L}*d[iu]jo|hizo|tuvo|puso|vino|quiso|pudo|supo|trajo|dio|vio|fue|estuvo|(?:ha|han|había|habían) (?:${L}+ )?${L}+(?:ado|ido|cho|sto|rto)|(?:dec|ped|quer|ten|ven)ían?|(?:llam|pregunt|est|cont)aban?|eran?)${E}`,
  metric:
    '(?:los (?:ingresos|beneficios|pedidos|costes|costos)|las (?:ventas|reservas|quejas|reclamaciones|devoluciones|visitas|consultas|bajas|averías)|la (?:facturación|productividad|rotación|merma)|el (?:margen|tráfico|beneficio))',
};
const NO_CLAUSE_ES = 'que|quien|quienes|si|cuando|como|y|o|pero|es|son|tiene|tienen|puede|pueden|paga|pagan';

const FR = {
  who: of(
    'clients? clientes? patients? patientes? entreprises? banques? cafés? restaurants? boulangeries? magasins? boutiques? hôtels? agences? équipes? écoles? cliniques? garages? ateliers? start-?ups? lecteurs? lectrices? utilisateurs? utilisatrices? patronn?e?s? collègues? amie?s? fournisseurs? fondateurs? fondatrices? gérante?s? dirigeante?s? élèves? cabinets? fabricants? pme commerces? commerçante?s? voisine?s? candidate?s? artisane?s? sociétés? familles? couples? stagiaires? usines?',
  ),
  some: "(?:l['’]une? de (?:mes|nos)|(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|\\d+|plusieurs|quelques|certaine?s|beaucoup)(?: de (?:mes|nos))?)",
  did: `(?:(?:[mln]['’]|nous |y |lui |leur |en )?(?:a|ont|avait|avaient) (?:(?:jamais|souvent|toujours|longtemps|déjà|bien|tout|aussi|enfin|récemment|pas|vite|même) )*(?:${L}+(?:é|ée|és|ées)|fait|mis|pris|dit|eu|vu|lu|dû|pu|su|perdu|écrit|ouvert|appris|compris|choisi|fini|vendu|tenu|reçu|voulu|réduit|répondu)|est (?:re)?(?:venu|allé|parti|arrivé|passé|entré|resté|tombé)e?s?|s['’]est ${L}+|(?:(?:me|nous|lui|leur|se) |[ml]['’])?(?:disai|demandai|voulai|avai|étai|appelai|venai|perdai|payai|refusai)(?:t|ent))${E}`,
  metric: `(?:le (?:chiffre d['’]affaires|trafic|taux de ${L}+)|les (?:ventes|bénéfices|réservations|commandes|plaintes|réclamations|retours|coûts|absences|accidents|pertes|demandes)|la (?:marge|productivité|fréquentation))`,
};
const NO_CLAUSE_FR = 'qui|que|dont|où|et|ou|mais|si|quand|lorsque|est|sont|peut|paie|doit|veut';

const HI = {
  who: of(
    'ग्राहक क्लाइंट क्लायंट मरीज़ मरीज कंपनी कंपनिय कम्पनी बैंक दुकान कैफ़े कैफे होटल रेस्टोरेंट रेस्तराँ स्कूल टीम दोस्त बॉस सहकर्मी पाठक छात्र स्टार्टअप फ़ैक्टरी फैक्टरी कारख़ान कारखान बेकरी क्लिनिक एजेंसी मालिक सप्लायर पड़ोसी उद्यमी किसान',
  ),
  some: '(?:एक|दो|तीन|चार|पाँच|पांच|कई|कुछ)',
  metric: of('बिक्री आमदनी कमाई मुनाफ़ा मुनाफा राजस्व टर्नओवर ऑर्डर शिकायतें बुकिंग लागत बर्बादी'),
};

const LAST_FOLDED = {
  en: '\\b(?:last (?:year|month|week|quarter|spring|summer|autumn|fall|winter|night|monday|tuesday|wednesday|thursday|friday)|(?:\\w+ ){1,2}(?:years?|months?|weeks?|days) ago|yesterday|the other day|this morning|recently)',
  de: '\\b(?:(?:letzte[nsrm]?|vorige[nsrm]?) \\w+|vor \\w+ (?:tagen|wochen|monaten|jahren)|gestern|vorgestern|neulich|kurzlich|heute (?:morgen|fruh))',
};
const LAST_ES = `${S}(?:(?:la semana|el (?:mes|año|lunes|martes|miércoles|jueves|viernes|invierno|verano)) pasad[oa]|ayer|anteayer|el otro día|hace (?:${L}+ ){1,2}(?:días|semanas|meses|años)|hace poco|esta mañana)`;
const LAST_FR = `${S}(?:(?:la semaine|l['’]année|le mois|lundi|mardi|mercredi|jeudi|vendredi|l['’](?:hiver|été|an)) derni(?:er|ère)|hier|avant-hier|l['’]autre jour|récemment|il y a (?:${L}+ ){1,2}(?:jours|semaines|mois|ans)|ce matin)`;
const LAST_HI = `${S}(?:(?:पिछले|पिछली|बीते) ${L}+|हाल ही में|${L}+ (?:दिन|हफ़्ते|महीने|साल) पहले)`;

/** A person or company and what they did, or a result of theirs. Folded for en, de and hi. */
export const EVIDENCE: Record<string, RegExp> = {
  en: foldedPattern([
    `\\b${EN.some} (?:[\\w-]+ ){0,2}?${EN.who}\\b(?: of (?:mine|ours)| (?:i|we) [a-z]+)?(?: (?:in|from|near|with|at|outside)${upTo(6, NO_CLAUSE_EN)})? ${EN.did}`,
    `\\b(?:one|two|three|several|some|many|most) of (?:my|our) (?:[\\w-]+ )?${EN.who}\\b`,
    `\\b(?:i|we) (?:know|advise|support|work with) (?:an?|one|two|three|several) (?:[\\w-]+ ){0,2}?${EN.who}\\b`,
    `\\b${EN.metric} ${changed}|\\b(?:doubled|tripled|quadrupled|halved) (?:its|their|his|her) |\\bcut (?:its|their|his|her) [^.!?]{2,40}\\b(?:in half|by half)\\b`,
    `${LAST_FOLDED.en}\\b[^.!?]{0,40}?\\b${EN.some} (?:[\\w-]+ ){0,2}?${EN.who}\\b`,
  ]),
  de: foldedPattern([
    `\\b${DE.some} (?:[\\w-]+ )?${DE.who}\\b${PLACE_DE}${upTo(2, NO_CLAUSE_DE)} ${DE.did}`,
    `\\b${DE.some} (?:[\\w-]+ )?${DE.who}\\b${PLACE_DE}(?:, (?:das|den|die|der) (?:wir|ich) [^,.!?]{3,40},)?${upTo(2, NO_CLAUSE_DE)} (?:hat|haben|hatte|hatten) [^.!?,]{0,80}?\\b${DE.done}`,
    `(?<=\\S )${DE.did} (?:(?:mich|uns|mir|sich|bei|neulich|gestern|einmal|dann|da|auch|schon) ){0,3}${DE.some} (?:[\\w-]+ )?${DE.who}\\b`,
    `(?<=\\S )(?:hat|haben) (?:(?:mich|uns|mir|sich|neulich|gestern|einmal|dann|da|auch|schon) ){0,3}${DE.some} (?:[\\w-]+ )?${DE.who}\\b[^.!?,]{0,80}?\\b${DE.done}`,
    `\\b(?:eine[rs]|zwei|drei|viele|einige) (?:meiner|unserer) ${DE.who}\\b`,
    `\\b${DE.metric}(?: \\w+){0,2}? (?:(?:verdoppelte|verdreifachte|halbierte)n?|stieg(?:en)?|sank(?:en)?|fiel(?:en)?|wuchs(?:en)?|schnellten?|schoss(?:en)?|explodierten?|(?:hat|haben) sich (?:\\w+ ){0,2}(?:verdoppelt|verdreifacht|halbiert|vervielfacht)|(?:ist|sind) (?:[^.!?,]{0,30} )?(?:gestiegen|gesunken|gefallen|gewachsen|zuruckgegangen|eingebrochen))\\b`,
    `\\b(?:(?:hat|haben) sich (?:der|die|unser\\w*) ${DE.metric} [^.!?,]{0,20}(?:verdoppelt|verdreifacht|halbiert)|(?:ist|sind) (?:der|die) ${DE.metric} [^.!?,]{0,30}(?:gestiegen|gesunken|gefallen|gewachsen|eingebrochen)|(?:stieg|sank|fiel|wuchs)(?:en)? (?:der|die) ${DE.metric}|(?:verdoppelte|verdreifachte|halbierte)n? sich (?:der|die) ${DE.metric})\\b`,
    `\\b(?:halbierte|verdoppelte|verdreifachte)n? (?:ihren?|seinen?|deren)\\b`,
    `${LAST_FOLDED.de}\\b[^.!?]{0,40}?\\b${DE.some} (?:[\\w-]+ )?${DE.who}\\b`,
  ]),
  es: new RegExp(
    [
      `(?<!${S}(?:en|con|de|a|para|por|sin|desde|entre) )${S}${ES.some} ${ES.who}${E}${upTo(4, NO_CLAUSE_ES)} ${ES.did}`,
      `${S}(?:${L}{2,}ó|dijo|vino|hizo|tuvo|llegaron|vinieron|pidieron) (?:${L}+ )?${ES.some} ${ES.who}${E}`,
      `${S}(?:un[oa]|dos|tres|vari[oa]s|much[oa]s) de (?:mis|nuestr[oa]s) ${ES.who}${E}`,
      `${S}${L}+[aei]mos (?:${L}+ ){0,2}con ${ES.some} ${ES.who}${E}`,
      `${S}${ES.metric} (?:(?:se|casi|ya|han|ha|había|habían) ){0,3}(?:${L}{3,}(?:aron|eron|ó)|(?:duplic|triplic|aument|baj|ca|sub|crec)[aí]?do)${E}`,
      `${S}(?:duplic|triplic|multiplic|recort)(?:ó|aron) (?:su|sus|las|los|la|el)${E}|${S}(?:redujo|redujeron) [^.!?]{2,40} a la mitad${E}`,
      `${LAST_ES}${E}[^.!?]{0,40}?${S}${ES.some} ${ES.who}${E}`,
    ].join('|'),
  ),
  fr: new RegExp(
    [
      `(?<!${S}(?:dans|avec|de|à|pour|chez|par|sans) )${S}${FR.some} (?:${L}+ )?${FR.who}${E}${upTo(4, NO_CLAUSE_FR)} ${FR.did}`,
      `${S}(?:l['’]une?|une?|deux|trois|plusieurs|beaucoup) de (?:mes|nos) ${FR.who}${E}`,
      `${S}${FR.metric}(?: ${L}+)? (?:a|ont|avait|avaient|s['’]est|se sont) (?:(?:presque|déjà|plus|que|été|littéralement) ){0,3}(?!besoin|tendance|raison)${L}{3,}(?:é|ée|és|ées|du)${E}`,
      `${S}(?:a|ont) (?:doublé|triplé|divisé|réduit) (?:son|sa|ses|leurs?)${E}`,
      `${LAST_FR}${E}[^.!?]{0,40}?${S}${FR.some} (?:${L}+ )?${FR.who}${E}`,
    ].join('|'),
  ),
  hi: foldedPattern([
    `${S}${HI.some} (?:${L}+ ){0,2}${HI.who}${L}* ने${E}`,
    `${S}${HI.some} (?:${L}+ ){0,2}${HI.who}${L}*${E}[^।.!?]{0,50} (?:आया|आई|आए|बोला|बोली|बोले|पहुँचा|पहुँची|था|थी|थे)${E}`,
    `${S}${HI.metric} (?:${L}+ ){0,3}(?:दोगुनी|दोगुना|दुगुनी|दुगना|तिगुनी|तिगुना|आधी|आधा|आधे|बढ़|घट|गिर) (?:(?:हो|रह) )?(?:गई|गया|गए|गईं|हुई|हुआ)${E}`,
    `${LAST_HI}${E}[^।.!?]{0,40}?${S}${HI.some} (?:${L}+ ){0,2}${HI.who}`,
  ]),
};

/** Words before a hypothetical example, folded. */
export const HYPOTHETICAL = foldedPattern(
  [
    'if|unless|whether|imagine|suppose|supposing|picture|assume|whenever|as though',
    'wenn|falls|sofern|stell\\w*|angenommen|gesetzt|als ob',
    `si|imagin${L}+|supon${L}+|ojala|como si|cuando`,
    `s'il|s'ils|suppos${L}+|comme si|quand|lorsqu${L}*|des|tant`,
    'अगर|यदि|मान|मानिए|सोचिए|कल्पना|जब|जिस',
  ],
  (any) => `${S}(?:${any})${E}`,
);
