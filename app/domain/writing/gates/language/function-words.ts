/** Words that carry no subject, folded, of the five languages that have lists. */
export const FUNCTION_WORDS: Record<string, string> = {
  en: 'a an the and or but if then than so as at by for from in into of off on onto out over to up with without about above after again against all also am among any are around be because been before being below between both can could did do does doing done down during each even ever every few first get gets got had has have having he her here hers him his how i is it its just last like made make makes many may me might more most much must my never new next no nor not now one only other our ours own per put rather same say says see she should since some still such take takes tell than that their theirs them there these they thing things this those though through thus too two under until us use used uses using very via want was way we well went were what when where whether which while who whom whose why will within would yes yet you your yours don doesn isn let ll re ve',
  de: 'aber alle allem allen aller alles als also am an andere anderen auch auf aus bei beim bevor bin bis bist da dabei dadurch damit danach dann daran darauf darf das dass dein dem den denn der des dessen deshalb dich die dies diese diesem diesen dieser dieses dir doch dort du durch ein eine einem einen einer eines er erst es etwas euch fur gar geht gegen gibt hab habe haben hat hatte hatten hier hin ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja jede jedem jeden jeder jedes jetzt kann kein keine keinen konnen macht man mehr mein meine mich mir mit muss nach nicht nichts noch nun nur ob oder ohne schon sehr sein seine sich sie sind so soll sollte sondern statt und uns unser unsere unter viel viele vom von vor wann war waren warum was weg weil wenn wer werden wie wieder will wir wird wo wohl wurde wurden zu zum zur zwei zwischen',
  es: 'a al algo algun alguna alguno ante antes aqui asi aun aunque bien cada como con contra cual cuando cuanto de del desde donde dos durante e el ella ellas ellos en entre era es esa ese eso esta estan estas este esto estos ha hace hacer han hasta hay la las le les lo los mas me mi mientras mis misma mismo mucho muy nada ni no nos nosotros nuestra nuestro o otra otro otros para pero poco por porque pues que quien se sea ser si siempre sin sobre solo son su sus tambien tan tanto te tiene tienen toda todas todo todos tras tu tus un una uno unos usted va vez y ya yo',
  fr: 'a afin ai ainsi alors apres au aucun aussi autre autres aux avant avec avoir c car ce cela celle celui ces cet cette chaque chez ci comme comment d dans de des deux deja depuis donc dont du elle elles en encore entre es est et etaient etait ete etre eu faire fait faut grace il ils j je jusqu l la le les leur leurs lors lui m ma mais me meme mes moi moins mon n ne ni non nos notre nous on ont ou par parce pas pendant peu peut plus pour pourquoi puis qu quand que quel quelle qui quoi rien s sa sans se sera ses si sien son sont sous souvent sur t ta tes toi ton tous tout toute toutes tres trop tu un une vers voici vos votre vous y',
  hi: 'अगर अपना अपनी अपने अब आप आपका आपकी आपके इन इस इसका इसकी इसके इसे इसी उन उनका उनके उस उसका उसकी उसके उसे एक ऐसा ऐसे और कई कब कभी कम कर करके करता करते करना करने करें का काफी कि किया किस किसी की कुछ के को कोई कौन क्या क्यों गई गए गया जब जहाँ जा जाता जाती जाते जाना जाने जाए जैसे जो तक तब तो था थी थे दिया दो दोनों न नहीं ने पर पहले फिर बस बहुत बाद बिना भी मगर मुझे में मेरा मेरी मेरे मैं मैंने यह यहाँ या ये रहा रही रहे लगता लिए लेकिन वह वहाँ वाला वाली वाले वे सब सभी साथ से हम हमारा हमारी हमारे हमने हमें ही हुआ हुई हुए हूँ है हैं हो होता होती होते होना होने',
};

/** Words that fit every post on every subject, so that one of them shows nothing. */
const COMMON_WORDS =
  'future better best good great work working works job jobs team teams people person business company companies today world year years day days time life change help helps important key ideas idea tips tip learn learning success successful small big real really know good new modern industry professional professionals value goal goals growth ' +
  'zukunft arbeit gut gute besser beste menschen leute unternehmen firma firmen heute welt jahr jahre tag tage zeit leben tipps wichtig erfolg neue ' +
  'futuro trabajo mejor bueno buena gente personas empresa empresas hoy mundo ano anos dia dias tiempo vida consejos importante exito nuevo nueva equipo equipos ' +
  'avenir travail mieux bon bonne gens personnes entreprise entreprises aujourd hui monde an annee annees jour jours temps vie conseils important succes nouveau nouvelle equipe equipes ' +
  'भविष्य काम बेहतर अच्छा अच्छी लोग लोगों कंपनी कंपनियों आज दुनिया साल दिन समय जीवन महत्वपूर्ण सफलता नया नई टीम';

const words = (line: string) => line.split(' ');
const FUNCTION = new Set(Object.values(FUNCTION_WORDS).flatMap(words));
const COMMON = new Set(words(COMMON_WORDS));

export const isFunctionWord = (word: string): boolean => FUNCTION.has(word);
/** Whether a folded word says what a text is about. */
export const isSubject = (word: string): boolean =>
  !FUNCTION.has(word) && !COMMON.has(word) && (word.length > 2 || /[^\p{Script=Latin}\p{N}]/u.test(word));
/** Weaker than a subject: it counts where nothing better was given. */
export const isContent = (word: string): boolean => !FUNCTION.has(word) && word.length > 2;
