import { env } from '#app/env.ts';

/** The public address of a published post: the raw urn below the network's website. */
export const postUrl = (urn: string | null): string | null =>
  urn ? `${env().LINKEDIN_AUTH_URL}/feed/update/${urn}/` : null;

/** Where a member sees what they posted. */
export const recentActivityUrl = () => `${env().LINKEDIN_AUTH_URL}/in/me/recent-activity/all/`;
