/** `npm run try-writer` with a database that is there already, LOOK_DATABASE_URL, instead of one of its own. */
import { firstLook } from '#scripts/writer/first-look.ts';

await firstLook(process.argv.slice(2), async () => ({
  url: () => process.env.LOOK_DATABASE_URL!,
  stop: async () => {},
}));
