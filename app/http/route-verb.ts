import { data } from 'react-router';

/** Returns the entry for the `:verb` of a URL. Throws a 404 response if there is none. */
export function verbOf<Verb extends string, Row>(verbs: Record<Verb, Row>, verb: string): Row {
  if (Object.hasOwn(verbs, verb)) return verbs[verb as Verb];
  throw data('There is nothing at this address.', { status: 404 });
}
