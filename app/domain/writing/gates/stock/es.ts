import { from, OBSERVED, type StockPhrase } from './phrases.ts';

export const STOCK_ES: StockPhrase[] = [
  ...from(
    'Merca2.0, las palabras más clichés en el mundo de los negocios',
    `al siguiente nivel
    pasar al siguiente nivel
    llevar * al siguiente nivel
    cambio de paradigma
    cambio de las reglas del juego
    transferencia de conocimiento`,
  ),
  ...from(
    'correctores de estilo sobre el lenguaje de empresa',
    `poner en valor
    puesta en valor
    pone en valor
    a día de hoy
    disruptiv*
    sinergia*
    salir de la zona de confort
    zona de confort
    pensar fuera de la caja
    valor añadido
    hoja de ruta
    de cara al futuro
    como no podía ser de otra manera`,
  ),
  ...from(
    OBSERVED,
    `en el mundo actual
    en el vertiginoso mundo
    en un mundo cada vez más
    en un mundo donde
    en un entorno cada vez más
    en la era digital
    hoy más que nunca
    más que nunca
    la clave del éxito
    la clave está en
    desbloquea*
    liberar el potencial
    todo su potencial
    todo tu potencial
    máximo potencial
    marcar la diferencia
    marca la diferencia
    no es casualidad
    juega un papel fundamental
    juega un papel crucial
    desempeña un papel
    es importante destacar
    cabe destacar
    sumérgete
    revoluciona*
    transformador*
    de vanguardia
    enfoque holístico
    un antes y un después
    en constante evolución
    en constante cambio
    el poder de
    abraza* el cambio
    en resumen,
    en conclusión,
    las posibilidades son infinitas
    el cielo es el límite
    el futuro es hoy
    el futuro ya está aquí`,
  ),
  ...from(
    'la manera que imitan las parodias de LinkedIn',
    `me enorgullece anunciar
    emocionado de compartir
    emocionada de compartir
    feliz de anunciar
    feliz de compartir
    déjalo reposar
    léelo otra vez
    opinión impopular
    nadie habla de esto
    nadie te lo dice
    ¿el resultado?
    ¿la verdad?
    ¿lo mejor?
    lo que aprendí`,
  ),
  ...from(
    'evidence and clients that models call upon without having any, observed',
    `los estudios demuestran
    los estudios muestran
    los expertos coinciden
    las encuestas muestran
    un cliente nuestro
    miles de clientes
    cientos de clientes`,
  ),
];
