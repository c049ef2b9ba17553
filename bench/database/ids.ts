/**
 * The cost of inserting rows with random ids and with ids in the order of time into a large table with two indexes: by the
 * row's own id, and by the id of another row. A checkpoint precedes the measurement, because after it Postgres
 * writes each page to the WAL as a whole when it first changes.
 */
import { sql } from 'kysely';
import { createDatabase } from '#app/db/client.ts';
import { vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, megabytes, number, title } from '#bench/measure/figures.ts';
import { measure, startDatabase } from '#bench/measure/product.ts';
import { endOfWal, printWal } from '#bench/measure/wal.ts';

const ROWS = Number(process.env.BENCH_ROWS || 2_000_000);
const MORE = 5_000;
const BATCH = 50;
const KINDS = { random: 'gen_random_uuid()', 'in order of time': 'id_of_now()' };

await measure(async (stops) => {
  const { ownerUrl } = await startDatabase(stops);
  const { db } = createDatabase(ownerUrl, 1);
  stops.push(() => db.destroy());
  for (const [kind, expression] of Object.entries(KINDS)) {
    const id = sql.raw(expression);
    title(`${number(MORE)} rows more, ${number(ROWS)} there, with ids ${kind}`);
    await sql`create table others (place bigserial, id uuid not null default ${id}, primary key (place))`.execute(
      db,
    );
    await sql`create table ones (id uuid primary key default ${id}, other_id uuid not null unique, body text)`.execute(
      db,
    );
    await sql`insert into others select from generate_series(1, ${ROWS + MORE}::int)`.execute(db);
    const add = (from: number, until: number) =>
      sql`insert into ones (other_id, body) select id, repeat('x', 180) from others
        where place > ${from} and place <= ${until} order by place`.execute(db);
    await add(0, ROWS);
    await vacuumAndCheckpoint(db);
    const [walStart, startedAt] = [await endOfWal(db), performance.now()];
    for (let done = 0; done < MORE; done += BATCH) await add(ROWS + done, ROWS + done + BATCH);
    const took = performance.now() - startedAt;
    await printWal(db, 'WAL for each row', walStart, MORE, `${number(BATCH)} rows a transaction`);
    figure('rows a second', number((1_000 * MORE) / took));
    const { rows } = await sql<{ bytes: string }>`select pg_indexes_size('ones') as bytes`.execute(db);
    figure('its indexes', megabytes(Number(rows[0]!.bytes)));
    await sql`drop table ones, others`.execute(db);
  }
});
