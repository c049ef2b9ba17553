/** `npm run try-writer`: the first look, in a database that goes with it. */
import { firstLook } from '#scripts/first-look.ts';
import { startThrowAwayPostgres } from '#scripts/postgres.ts';

await firstLook(process.argv.slice(2), startThrowAwayPostgres);
