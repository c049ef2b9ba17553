import { env } from '#app/env.ts';

/** The public URL of a published post: LinkedIn expects the raw URN in it. */
export const postUrl = (urn: string | null): string | null =>
  urn ? `${env().LINKEDIN_AUTH_URL}/feed/update/${urn}/` : null;

export const recentActivityUrl = () => `${env().LINKEDIN_AUTH_URL}/in/me/recent-activity/all/`;

const ADDRESS_MAX = 2_000;
const URN = /^urn:li:(?:share|ugcPost|activity):\d{1,25}$/;
const UPDATE = /^\/(?:embed\/)?feed\/update\/urn:li:(share|ugcPost|activity):(\d{1,25})(?!\d)/;
const IN_PATH = /^\/posts\/[^/]*-(share|ugcPost|activity)-(\d{1,25})(?:-[\w-]*)?\/?$/;
const IN_QUERY = ['highlightedUpdateUrn', 'updateEntityUrn'];

/**
 * Returns the URN in a pasted text: the URN itself, or a URL of LinkedIn's website with it (feed/update/URN,
 * posts/…-activity-N-…). Returns undefined for everything else; short URLs of lnkd.in have no URN.
 */
export function urnOfAddress(pasted: string): string | undefined {
  const text = pasted.trim().replace(/%3a/gi, ':');
  if (text.length > ADDRESS_MAX) return undefined;
  if (text.startsWith('urn:')) return URN.test(text) ? text : undefined;
  const address = /^https?:\/\//i.test(text) ? text : `https://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (!isWebsite(url)) return undefined;
  const path = url.href.startsWith(env().LINKEDIN_AUTH_URL)
    ? url.href.slice(env().LINKEDIN_AUTH_URL.length).replace(/[?#].*$/, '')
    : url.pathname;
  const match = UPDATE.exec(path) ?? IN_PATH.exec(path);
  if (match) return `urn:li:${match[1]}:${match[2]}`;
  const urn = IN_QUERY.map((name) => url.searchParams.get(name)).find((value) => value !== null);
  return urn && URN.test(urn) ? urn : undefined;
}

const isWebsite = ({ hostname, origin }: URL) =>
  /(?:^|\.)linkedin\.com$/.test(hostname) || origin === new URL(env().LINKEDIN_AUTH_URL).origin;

/** LinkedIn deletes posts only by these URNs. */
export const isDeletable = (urn: string) => /^urn:li:(?:share|ugcPost):/.test(urn);
