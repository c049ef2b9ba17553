import { createDatabase } from '#app/db/client.ts';
import { seed } from '#app/db/seed.ts';
import { env } from '#app/env.ts';

const { db } = createDatabase(env().DATABASE_URL, 4);
try {
  await seed(db, new Date());
} finally {
  await db.destroy();
}
