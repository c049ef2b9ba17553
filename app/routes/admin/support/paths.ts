export const SUPPORT = '/app/admin/support-feedback';
export const SAVED_REPLIES = '/app/admin/saved-replies';

/** What an address shows: which of the two tabs, narrowed to what, from where on; '' is nothing. */
export type SupportPlace = { tab: 'support' | 'feedback'; q: string; status: string; cursor: string };

/** `reply`: the saved reply that an answer to what is opened begins with. */
export function supportAddress(
  { tab, ...more }: Partial<SupportPlace>,
  open?: string,
  reply?: string,
): string {
  const said = Object.entries({ tab: tab === 'feedback' ? tab : '', ...more, open, reply });
  const search = new URLSearchParams(said.filter(([, value]) => value) as [string, string][]).toString();
  return search ? `${SUPPORT}?${search}` : SUPPORT;
}
