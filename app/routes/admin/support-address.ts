export const SUPPORT = '/app/admin/support-feedback';

/** What an address shows: which of the two tabs, narrowed to what, from where on; '' is nothing. */
export type SupportPlace = { tab: 'support' | 'feedback'; q: string; status: string; cursor: string };

export function supportAddress({ tab, ...more }: Partial<SupportPlace>, open?: string): string {
  const said = Object.entries({ tab: tab === 'feedback' ? tab : '', ...more, open });
  const search = new URLSearchParams(said.filter(([, value]) => value) as [string, string][]).toString();
  return search ? `${SUPPORT}?${search}` : SUPPORT;
}
