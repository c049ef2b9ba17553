import { listUrlFrom } from '#app/http/forms/list-params.ts';
import { isOurPage } from '#app/http/session/return-to-cookie.ts';

const LINK = '/auth/link';

/** Returns the page to open after signing in, or undefined for an address outside the app. */
export const parseReturnTo = (to: FormDataEntryValue | null): string | undefined =>
  typeof to === 'string' && (to === LINK || isOurPage(to)) ? to : listUrlFrom(to);
