import path from 'node:path';
import { openPlaces } from '#app/domain/platform/geoip.ts';
import { env } from '#app/env.ts';
import type { Check } from './look.ts';

/** The file that tells from where an account is signed in to. Without it users read of networks. */
export const places: Check = {
  name: 'places',
  cure: 'GEOIP_DB has to name an MMDB file that this user may read; without it the one that comes with Tidepost is read.',
  look: async () => {
    try {
      const { file, builtAt } = openPlaces();
      return `${path.basename(file)} of ${builtAt.toISOString().slice(0, 10)} tells countries from addresses`;
    } catch (error) {
      throw new Error(`${env().GEOIP_DB ?? 'The packaged file'} cannot be read: ${(error as Error).message}`);
    }
  },
};
