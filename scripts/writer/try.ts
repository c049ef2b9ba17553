/** `npm run try-writer`: the first look, in a database that goes with it. */

import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { firstLook } from './first-look.ts';

await firstLook(process.argv.slice(2), startThrowAwayPostgres);
