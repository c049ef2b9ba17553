import { env } from '#app/env.ts';

/** The public address of a published post: the raw urn below the network's website. */
export const postUrl = (urn: string | null): string | null =>
  urn ? `${env().LINKEDIN_AUTH_URL}/feed/update/${urn}/` : null;

/** Where a member sees what they posted. */
export const recentActivityUrl = () => `${env().LINKEDIN_AUTH_URL}/in/me/recent-activity/all/`;

const ADDRESS_MAX = 2_000;
const URN = /^urn:li:(?:share|ugcPost|activity):\d{1,25}$/;
const UPDATE = /^\/(?:embed\/)?feed\/update\/urn:li:(share|ugcPost|activity):(\d{1,25})(?!\d)/;
const IN_PATH = /^\/posts\/[^/]*-(share|ugcPost|activity)-(\d{1,25})(?:-[\w-]*)?\/?$/;
const IN_QUERY = ['highlightedUpdateUrn', 'updateEntityUrn'];

/**
 * The urn of a post in what a person pasted: the urn itself, or an address of LinkedIn's website that names it
 * (feed/update/URN, posts/…-activity-N-…). Undefined for everything else: a short address of lnkd.in names
 * nothing.
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
  const named = UPDATE.exec(path) ?? IN_PATH.exec(path);
  if (named) return `urn:li:${named[1]}:${named[2]}`;
  const asked = IN_QUERY.map((name) => url.searchParams.get(name)).find((value) => value !== null);
  return asked && URN.test(asked) ? asked : undefined;
}

const isWebsite = ({ hostname, origin }: URL) =>
  /(?:^|\.)linkedin\.com$/.test(hostname) || origin === new URL(env().LINKEDIN_AUTH_URL).origin;

/** LinkedIn deletes by these urns only. */
export const isDeletable = (urn: string) => /^urn:li:(?:share|ugcPost):/.test(urn);
