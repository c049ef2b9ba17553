import { data } from 'react-router';

/** What a table of verbs has for the last part of an address. An address with another verb is not there. */
export function verbOf<Verb extends string, Row>(verbs: Record<Verb, Row>, asked: string): Row {
  if (Object.hasOwn(verbs, asked)) return verbs[asked as Verb];
  throw data('There is nothing at this address.', { status: 404 });
}
