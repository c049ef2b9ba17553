/**
 * What it costs to write rows whose ids are random, and rows whose ids are in order of time, when there are many already:
 * a key by the row's own id, and one by that of another row, made before. As each page is written whole
 * to the log when it first changes after a checkpoint, there is one just before.
 */
import { sql } from 'kysely';
import { createDatabase } from '#app/db/client.ts';
import { settle } from '#bench/data/people.ts';
import { figure, megabytes, number, title } from '#bench/measure/figures.ts';
import { measure, startDatabase } from '#bench/measure/product.ts';
import { endOfWal, tellWal } from '#bench/measure/wal.ts';

const ROWS = Number(process.env.BENCH_ROWS || 2_000_000);
const MORE = 5_000;
const AT_ONCE = 50;
const KINDS = { random: 'gen_random_uuid()', 'in order of time': 'id_of_now()' };

await measure(async (stops) => {
  const { ownerUrl } = await startDatabase(stops);
  const { db } = createDatabase(ownerUrl, 1);
  stops.push(() => db.destroy());
  for (const [kind, made] of Object.entries(KINDS)) {
    const id = sql.raw(made);
    title(`${number(MORE)} rows more, ${number(ROWS)} there, with ids ${kind}`);
    await sql`create table others (place bigserial, id uuid not null default ${id}, primary key (place))`.execute(
      db,
    );
    await sql`create table ones (id uuid primary key default ${id}, other_id uuid not null unique, body text)`.execute(
      db,
    );
    // In the order in which they are made, as they are in life.
    await sql`insert into others select from generate_series(1, ${ROWS + MORE}::int)`.execute(db);
    const add = (from: number, until: number) =>
      sql`insert into ones (other_id, body) select id, repeat('x', 180) from others
        where place > ${from} and place <= ${until} order by place`.execute(db);
    await add(0, ROWS);
    await settle(db);
    const [since, began] = [await endOfWal(db), performance.now()];
    for (let done = 0; done < MORE; done += AT_ONCE) await add(ROWS + done, ROWS + done + AT_ONCE);
    const took = performance.now() - began;
    await tellWal(db, 'WAL for each row', since, MORE, `${number(AT_ONCE)} rows a transaction`);
    figure('rows a second', number((1_000 * MORE) / took));
    const { rows } = await sql<{ bytes: string }>`select pg_indexes_size('ones') as bytes`.execute(db);
    figure('its indexes', megabytes(Number(rows[0]!.bytes)));
    await sql`drop table ones, others`.execute(db);
  }
});
