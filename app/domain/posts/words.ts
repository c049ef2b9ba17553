import { env } from '#app/env.ts';

/** The public address of a published post: the raw urn below the network's website. */
export const postUrl = (urn: string | null): string | null =>
  urn ? `${env().LINKEDIN_AUTH_URL}/feed/update/${urn}/` : null;

/** Where a member sees what they posted. */
export const recentActivityUrl = () => `${env().LINKEDIN_AUTH_URL}/in/me/recent-activity/all/`;

/** "Tue, 24 Nov, 09:00" in the user's zone. */
export function formatInstant(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone,
  }).format(at);
}

/** "Jan 05, 2025" in the user's zone. */
export function formatDate(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-US', {
    month: 'short',
    day: '2-digit',
    year: 'numeric',
    timeZone,
  }).format(at);
}

/** "09:00" in the user's zone. */
export const formatTime = (at: Date, timeZone: string) =>
  new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone }).format(
    at,
  );

/** A local day beside another one: "Today", "Tomorrow", "Tue, 24 Nov". */
export function formatDay(day: string, today: string): string {
  const date = Temporal.PlainDate.from(day);
  const near = ['Yesterday', 'Today', 'Tomorrow'][date.since(today).days + 1];
  const year = date.year === Temporal.PlainDate.from(today).year ? undefined : 'numeric';
  return near ?? date.toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', year });
}
