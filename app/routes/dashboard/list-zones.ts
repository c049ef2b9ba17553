import { zoneOptions } from './zone-options.ts';

/** All time zones, for a page that has come with one of them. */
export const loader = () =>
  new Response(zoneOptions(), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'private, max-age=86400' },
  });
