import { listUrlFrom } from '#app/http/forms/list-params.ts';
import { isOurPage } from '#app/http/session/return-to-cookie.ts';

/** Where the address that waits for its owner's word is linked. */
const LINK = '/auth/link';

/** Where to go after signing in, as an address says: pages of ours alone. */
export const whereTo = (asked: FormDataEntryValue | null): string | undefined =>
  typeof asked === 'string' && (asked === LINK || isOurPage(asked)) ? asked : listUrlFrom(asked);
