/** Looks at everything the product needs: a line for each, and status 0 only when all is well. */
import { createDatabase } from '#app/db/client.ts';
import { listAnyTokens } from '#app/domain/linkedin/access/any-tokens.ts';
import { env } from '#app/env.ts';
import { commandDatabase, outsideOfStart, readEnvFile, underEnvironment } from '#scripts/start/settings.ts';
import { copyChecks } from './copy.ts';
import { databaseChecks } from './database-checks.ts';
import { type Check, type Finding, lookAt } from './look.ts';
import { outsideChecks } from './outside-checks.ts';
import { places } from './places.ts';

const NAME_WIDTH = 14;
const REACH = 'Start PostgreSQL and check DATABASE_URL: host, port, name, user and password.';
let isAllWell = true;

function tell({ name, isWell, words }: Finding): void {
  isAllWell &&= isWell;
  console.log(`${isWell ? '✔' : '✖'} ${name.padEnd(NAME_WIDTH)} ${words}`);
}

async function tellAll(checks: Check[]): Promise<void> {
  for (const finding of await Promise.all(checks.map(lookAt))) tell(finding);
}

/** Everything else needs it, so that nothing more is looked at when it has a fault. */
function isConfigured(): boolean {
  readEnvFile();
  try {
    Object.assign(process.env, underEnvironment(outsideOfStart()));
    env();
    tell({ name: 'configuration', isWell: true, words: `complete, for ${env().NODE_ENV}` });
    return true;
  } catch (error) {
    const [, ...faults] = (error as Error).message.split('\n');
    for (const words of faults) {
      tell({
        name: 'configuration',
        isWell: false,
        words: `${words} Set it in the environment; .env.example says how.`,
      });
    }
    return false;
  }
}

/** Answers tokens of some members, with which more can be asked outside. */
async function lookAtDatabase(): Promise<string[]> {
  const database = await commandDatabase();
  const { db } = createDatabase(database.url, 5);
  const checks = [...databaseChecks(db), ...copyChecks(db, database.readUrl)];
  try {
    const host = new URL(database.url).host;
    const look = () => db.selectNoFrom((eb) => eb.lit(1).as('one')).execute();
    const reached = await lookAt({
      name: 'database',
      cure: REACH,
      look: () => look().then(() => `${host} answers`),
    });
    tell(reached);
    if (reached.isWell) {
      await tellAll(checks);
      return await listAnyTokens(db, new Date()).catch(() => []);
    }
    for (const { name } of checks) {
      tell({ name, isWell: false, words: 'Not looked at. First the database has to answer.' });
    }
    return [];
  } finally {
    await db.destroy();
    await database.stop();
  }
}

if (isConfigured()) {
  const tokens = await lookAtDatabase().catch((error: Error) => {
    tell({ name: 'database', isWell: false, words: `${error.message} ${REACH}` });
    return [];
  });
  await tellAll([...outsideChecks(tokens), places]);
}
console.log(isAllWell ? '\nAll is well.' : '\nSomething is wrong: see the lines with ✖.');
// The clients of the outside world keep connections open for the next call.
process.exit(isAllWell ? 0 : 1);
