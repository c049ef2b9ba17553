import { fold } from '#app/domain/writing/gates/language/word-forms.ts';

/** What anybody may write with a capital although nobody gave it: tools, methods, standards, places of the calendar. */
const FREE =
  'new york london paris berlin madrid vienna delhi mumbai allen stanley phillips philips torx bosch makita saas rohs ' +
  'rome milan venice naples turin lisbon porto barcelona valencia seville sevilla malaga bilbao dublin edinburgh glasgow manchester birmingham liverpool leeds bristol munich munchen hamburg cologne koln frankfurt stuttgart leipzig dresden dusseldorf hannover nurnberg bremen wien zurich basel bern geneva geneve brussels bruxelles amsterdam rotterdam antwerp copenhagen stockholm oslo helsinki warsaw prague budapest athens istanbul moscow kyiv londres bruselas milano roma lisboa nueva york lyon marseille toulouse bordeaux lille nantes strasbourg nice rennes tokyo beijing shanghai singapore dubai sydney melbourne toronto montreal vancouver chicago boston seattle austin texas california florida san francisco los angeles las vegas washington mexico bogota lima buenos aires santiago sao paulo rio bangalore bengaluru chennai kolkata hyderabad pune jaipur lucknow ahmedabad kerala punjab bavaria bayern cataluna catalonia andalucia provence bretagne normandie tuscany lombardy scandinavia balkans ' +
  'i linkedin excel word powerpoint outlook office windows mac macos linux google docs sheets drive calendar maps gmail slack teams zoom whatsapp signal telegram notion trello jira asana confluence miro figma photoshop github gitlab git python java javascript typescript sql postgres postgresql docker kubernetes wordpress shopify instagram facebook youtube tiktok pinterest canva pdf csv iphone ipad android bluetooth wifi wi-fi internet web usb chatgpt ' +
  'macbook airpods facetime icloud devops fintech edtech bafin mwst opensource stackoverflow foodtruck openai claude gemini copilot bing chrome firefox safari edge ubuntu debian bash powershell vim emacs node react angular vue django laravel rails ruby php rust go golang swift kotlin scala redis kafka mysql sqlite mongodb oracle snowflake tableau looker power bi aws azure terraform ansible jenkins datadog grafana sentry stripe paypal klarna bizum sepa salesforce hubspot zendesk intercom mailchimp typeform calendly loom dropbox onedrive onenote sharepoint evernote obsidian airtable todoist basecamp linear clickup monday zapier datev lexware elster sap sage xero quickbooks lexoffice navision odoo autocad revit solidworks sketchup blender indesign illustrator lightroom premiere acrobat adobe wikipedia reddit twitter xing vimeo spotify etsy ebay magento woocommerce prestashop upi aadhaar lego velcro tesa sharpie moleskine post-it tupperware thermos gore-tex teflon plexiglas ikea hilti festool arduino raspberry pi siri alexa markdown latex unicode ascii json xml html css http https api rest graphql oauth ' +
  'scrum kanban lean agile gantt pareto okr kaizen eisenhower pomodoro sigma swot raci kpi bauhaus six itil prince2 smart bpmn uml tdd ishikawa parkinson murphy conway goodhart brooks occam maslow fibonacci gauss bayes likert venn poka-yoke gemba celsius fahrenheit kelvin newton ohm volt watt bernoulli pythagoras pantone helvetica arial times roman garamond braille morse kaplan montessori ' +
  'christmas easter ramadan diwali holi eid hanukkah halloween thanksgiving advent carnival lent valentine boxing black friday cyber eve weihnachten ostern pfingsten silvester navidad nochebuena noel toussaint paques pascua semana santa reyes ano nuevo god allah bible koran english british american european asian african indian german french spanish latin dutch swiss danish swedish norwegian finnish belgian austrian irish scottish welsh canadian australian mexican brazilian chinese japanese korean greek turkish polish czech portuguese italian russian ukrainian arabic hebrew victorian georgian edwardian gothic baroque renaissance medieval mediterranean nordic scandinavian asian western eastern christian muslim jewish hindu buddhist catholic protestant ' +
  'north south east west northern southern europe asia africa america atlantic pacific mediterranean baltic alps pyrenees himalaya sahara earth sun moon mars venus dear sir madam mr mrs ms dr prof vat gdpr dsgvo rgpd iso din bgb hgb hr it ai ki ia tv uk us usa eu un ok mdf led dna brexit covid corona olympics parliament congress senate ' +
  'hacienda seguridad social estado gobierno agencia tributaria union europea etat securite sociale urssaf siret siren kbis insee bercy republique france travail wi fi champagne prosecco cheddar parmesan gouda dijon earl grey darjeeling arabica robusta chardonnay riesling merlot';

/** Whom texts call upon for authority without having read them, and whom a model takes for an example. */
const AUTHORITIES =
  'harvard stanford mit oxford cambridge yale princeton wharton insead mckinsey deloitte gartner forrester accenture bcg pwc kpmg gallup forbes bloomberg nielsen statista bitkom fraunhofer "steve jobs" "elon musk" "jeff bezos" "bill gates" "warren buffett" "simon sinek" "peter drucker" "albert einstein" einstein "henry ford" "brene brown" tesla netflix amazon apple microsoft spacex airbnb uber nike toyota ' +
  'हार्वर्ड हावर्ड मैकिन्से गार्टनर स्टैनफोर्ड डेलॉइट फोर्ब्स "स्टीव जॉब्स" "एलन मस्क" "बिल गेट्स" अमेज़न अमेज़ॉन टेस्ला नेटफ्लिक्स एप्पल';

/** Given names that a reader takes for a person, of the five languages; a German noun is written like one. */
const GIVEN_NAMES =
  'james john robert michael william david richard joseph thomas charles christopher daniel matthew anthony steven paul andrew kevin brian george edward mary patricia jennifer linda elizabeth barbara susan jessica sarah karen nancy lisa margaret sandra ashley kimberly emily donna michelle carol amanda melissa deborah stephanie rebecca laura sharon cynthia kathleen amy angela anna jane emma olivia sophia alex alice alan arthur ben beth bob brandon charlotte chris claire connor craig dave debbie derek diane dylan edwin eleanor ellen ethan evan fiona fred gary geoff gina gordon graham greg hannah harry hazel heather helen henry howard hugh isaac isabella jacob jake jason jeff jenny jeremy jerry jim joan joe joel jonathan josh judith julie justin kate katie keith ken kyle larry liam logan lucas lucy luke maggie maria martha martin megan mia mike molly nathan nick nina noah oliver oscar owen pam peggy pete philip phoebe rachel ralph randy rebekah ron ross ryan sally sam samantha sara scott sean sheila simon sophie stacy stan ted theresa tim todd tom tony tracy victoria vincent wendy zach zoe ' +
  'hans peter klaus wolfgang jurgen dieter manfred uwe gunter stefan andreas markus matthias jan lukas felix jonas tobias sabine monika petra renate ursula ingrid katrin julia lena claudia birgit heike jana anke antje astrid axel bernd bernhard bettina bjorn carsten christa christoph cornelia daniela dagmar dennis detlef dirk doris eckhard eva fabian florian franziska friedrich georg gerd gerhard gisela gudrun hannes harald hartmut heidi heiko heinrich heinz helga helmut herbert hildegard holger horst ilse ines ingo irene iris jochen joachim johanna johannes jorg jutta karin karl karsten kathrin kerstin konrad kristina kurt lars leon leonie lothar lutz maike manuela margit marion marlene martina maximilian melanie miriam moritz nadine nils norbert olaf patrick philipp rainer ralf regina reinhard reinhold rolf rudiger rudolf ruth sebastian silke simone sven svenja tanja thorsten tina torsten udo ulrich ulrike ute vanessa vera verena volker walter werner wilhelm yvonne ' +
  'jose carlos luis juan javier antonio manuel francisco miguel pedro alejandro carmen ana isabel dolores pilar teresa lucia marta elena sofia cristina adriana alberto alfonso alicia alvaro amparo andrea antonia beatriz begona carlota carolina cesar clara concepcion cristobal diego eduardo emilio enrique ernesto esteban eugenia felipe fernanda fernando gabriela gonzalo guillermo gustavo hector ignacio jaime joaquin jorge josefa julian leticia lorena lorenzo lourdes marcos mariana mario marina mateo mercedes monica natalia nuria pablo paloma paula rafael ramon raquel raul ricardo roberto rocio rodrigo rosario ruben salvador santiago sergio silvia susana tomas veronica vicente victor ximena yolanda ' +
  'jean pierre michel philippe alain nicolas julien antoine francois jacques marie camille nathalie isabelle catherine sylvie celine amelie chloe adrien agathe agnes alexandre anais anne arnaud aurelie baptiste benoit bernard bertrand brigitte bruno carole cecile christelle christian christine christophe clement corinne damien delphine denis didier dominique elodie emilie emmanuel eric estelle etienne fabien fabrice florence frederic gabrielle gerard gilles guillaume guy helene henri herve hugo jacqueline jerome joelle josephine juliette laurence laurent leo lionel louis louise luc lucie marc margaux marianne martine mathieu maxime michele mireille monique noemie odile olivier pascal patrice pauline philippine pierrick quentin raphael regine remi romain roland sandrine sebastien serge solene stephane sylvain theo therese thibault thierry valerie virginie xavier yann yves ' +
  'rahul amit priya anita sunita rajesh suresh ramesh vikram arjun neha pooja kavita anjali rohan sanjay aarav abhishek aditya ajay akash alok amitabh ananya anil ankit arun aryan ashok deepak deepika dinesh divya gaurav geeta harish isha jyoti karan kiran krishna lakshmi mahesh manish manoj meena mohit mukesh naresh nikhil nisha nitin pankaj pradeep prakash pramod preeti rajiv rakesh ravi rekha ritu sachin sandeep shalini shweta siddharth sneha sonia sudha sunil swati tanvi usha vandana varun vijay vinod vivek yash आदित्य अजय अनिल अंकित अशोक दीपक दिनेश दिव्या गौरव हरीश ज्योति महेश मनीष मनोज मीना मोहित मुकेश नरेश निखिल निशा नितिन पंकज प्रदीप प्रमोद राजीव राकेश रेखा ऋतु सचिन संदीप शालिनी श्वेता सिद्धार्थ स्नेहा सुनील स्वाति विनोद विवेक शर्मा वर्मा गुप्ता पटेल मेहता अग्रवाल मिश्रा तिवारी चौधरी रेड्डी नायर अय्यर बनर्जी मुखर्जी जोशी देसाई कपूर मल्होत्रा चोपड़ा बंसल खन्ना सक्सेना श्रीवास्तव राहुल अमित प्रिया अनीता सुनीता राजेश सुरेश रमेश विक्रम अर्जुन नेहा पूजा कविता अंजलि रोहन संजय मोहन सीता गीता रवि';

/** Given names that are words as well: they name a person only before a surname. */
const WORDS_TOO =
  'mark martin heather hazel victoria iris carol sally bob stan guy ben jan grant dolores pilar rosario concepcion clara marina salvador paloma marcos mercedes lucia rocio tomas pierre florence roland marc jean serge maxime marion viola mohan geeta मोहन गीता रवि पूजा कविता नेहा रेखा ज्योति ऋतु दीपक निशा विवेक विनोद अशोक स्वाति';

const split = (line: string) =>
  new Set([...line.matchAll(/"([^"]+)"|(\S+)/g)].map(([, quoted, word]) => fold(quoted ?? word!)));

const LANGUAGES = ['en', 'de', 'es', 'fr', 'hi'];
const REGIONS =
  'US GB IE CA AU NZ IN DE AT CH FR BE ES PT IT NL LU SE NO DK FI PL CZ GR TR RU UA JP CN KR BR MX AR CL CO PE ZA NG KE EG MA AE SA IL SG ID VN TH PK BD LK NP'.split(
    ' ',
  );
const TONGUES = 'en de es fr hi it pt nl pl ru ar zh ja ko tr sv'.split(' ');

function calendarNames(language: string): string[] {
  const day = (of: number) => new Date(Date.UTC(2026, 0, 5 + of));
  const days = Array.from({ length: 7 }, (_, at) =>
    day(at).toLocaleString(language, { weekday: 'long', timeZone: 'UTC' }),
  );
  const months = Array.from({ length: 12 }, (_, at) =>
    new Date(Date.UTC(2026, at, 9)).toLocaleString(language, { month: 'long', timeZone: 'UTC' }),
  );
  const regions = new Intl.DisplayNames(language, { type: 'region' });
  const tongues = new Intl.DisplayNames(language, { type: 'language' });
  return [
    ...days,
    ...months,
    ...REGIONS.map((code) => regions.of(code)!),
    ...TONGUES.map((code) => tongues.of(code)!),
  ];
}

const FREE_NAMES = new Set([
  ...split(FREE),
  ...LANGUAGES.flatMap(calendarNames).flatMap((name) => fold(name).split(/[\s-]+/)),
]);

export const isFreeName = (word: string): boolean =>
  FREE_NAMES.has(word) || FREE_NAMES.has(word.replace(/s$/, ''));
export const AUTHORITY_NAMES: Set<string> = split(AUTHORITIES);
const PERSON_NAMES = split(GIVEN_NAMES);
const NAMES_AND_WORDS = split(WORDS_TOO);

/** Whether a folded word names a person, by itself or before a surname. */
export const isPerson = (word: string, hasSurname: boolean): boolean =>
  NAMES_AND_WORDS.has(word) ? hasSurname : PERSON_NAMES.has(word);
