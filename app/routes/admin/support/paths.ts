export const SUPPORT = '/app/admin/support-feedback';
export const SAVED_REPLIES = '/app/admin/saved-replies';

/** An empty string means no filter. */
export type SupportQuery = { tab: 'support' | 'feedback'; q: string; status: string; cursor: string };

/** `reply`: the saved reply with which the answer begins. */
export function supportAddress(
  { tab, ...filter }: Partial<SupportQuery>,
  open?: string,
  reply?: string,
): string {
  const params = Object.entries({ tab: tab === 'feedback' ? tab : '', ...filter, open, reply });
  const search = new URLSearchParams(params.filter(([, value]) => value) as [string, string][]);
  return search.size > 0 ? `${SUPPORT}?${search}` : SUPPORT;
}
