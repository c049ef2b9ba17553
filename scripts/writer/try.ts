import { startThrowAwayPostgres } from '#scripts/postgres/postgres.ts';
import { firstLook } from './first-look.ts';

await firstLook(process.argv.slice(2), startThrowAwayPostgres);
