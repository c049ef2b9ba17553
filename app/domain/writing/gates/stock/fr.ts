import { from, OBSERVED, type StockPhrase } from './phrases.ts';

export const STOCK_FR: StockPhrase[] = [
  ...from(
    'Académie française, Dire, ne pas dire',
    `faire sens
    fait sens
    impacter
    impacte nos
    impactant*
    au final
    en termes de
    être en capacité de
    en mode agile
    challenger les
    revenir vers vous`,
  ),
  ...from(
    'listes de clichés du langage de bureau',
    `gagnant-gagnant
    sortir de sa zone de confort
    zone de confort
    penser en dehors du cadre
    sortir du cadre
    changement de paradigme
    synergie*
    valeur ajoutée
    monter en compétence*
    force de proposition
    feuille de route
    disrupti*
    dans l'adn de`,
  ),
  ...from(
    OBSERVED,
    `dans le monde d'aujourd'hui
    dans un monde en constante
    dans un monde où
    dans un monde en perpétuel
    à l'ère du numérique
    à l'ère digitale
    en constante évolution
    en perpétuelle évolution
    plus que jamais
    la clé du succès
    la clé de la réussite
    les clés du succès
    libérer le potentiel
    libérez le potentiel
    libérez tout
    plein potentiel
    tout le potentiel
    au niveau supérieur
    passer au niveau supérieur
    plongeons dans
    plongez dans
    révolutionn*
    incontournable*
    faire la différence
    fait la différence
    joue un rôle crucial
    joue un rôle clé
    joue un rôle essentiel
    il est important de noter
    il convient de noter
    approche holistique
    à la pointe de
    le pouvoir de
    n'est pas un hasard
    un véritable levier
    un véritable atout
    embrass* le changement
    en conclusion,
    en résumé,
    les possibilités sont infinies
    game changer*
    game-changer*`,
  ),
  ...from(
    'la manière que les parodies de LinkedIn imitent',
    `ravi de vous annoncer
    ravie de vous annoncer
    fier de vous annoncer
    fière de vous annoncer
    heureux de partager
    heureuse de partager
    relisez cette phrase
    laissez infuser
    opinion impopulaire
    personne n'en parle
    personne ne vous le dit
    le résultat ?
    la vérité ?
    le meilleur ?
    ce que j'ai appris`,
  ),
  ...from(
    'evidence and clients that models call upon without having any, observed',
    `les études montrent
    des études montrent
    les études prouvent
    les experts s'accordent
    les sondages montrent
    un de nos clients
    des milliers de clients
    des centaines de clients`,
  ),
];
