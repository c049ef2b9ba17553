/** How long the minute's tick takes to enqueue 20,000 posts that are due at once. */
import { sql } from 'kysely';
import { enqueueDuePosts } from '#app/domain/queue/due.ts';
import { figure, ms, number, title } from './figures.ts';
import { addPeople, settle } from './people.ts';
import { measure, openProduct } from './product.ts';

const POSTS = 20_000;
const PEOPLE = 2_000;

await measure(async (stops) => {
  const { db } = await openProduct(stops);
  const people = await addPeople(db, PEOPLE);
  await sql`
    with added as (
      insert into posts (user_id, content, slot_date, slot_number, publish_at)
      select id, 'Due at once ' || n, current_date, n, now()
      from unnest(${people}::uuid[]) as person(id), generate_series(1, ${POSTS / PEOPLE}::int) as n
      returning id, user_id, publish_at
    )
    insert into deliveries (post_id, user_id, due_at) select id, user_id, publish_at from added`.execute(db);
  await settle(db);

  title(`${number(POSTS)} posts due in one minute`);
  const started = performance.now();
  const now = new Date();
  let ticks = 0;
  while ((await enqueueDuePosts(db, now)) > 0) ticks += 1;
  const took = performance.now() - started;
  const { rows } = await sql<{ count: string }>`
    select count(*) from graphile_worker.jobs where task_identifier = 'publish-post'`.execute(db);
  figure('until all are enqueued', ms(took), 'goal 5 s');
  figure('jobs', number(Number(rows[0]!.count)));
  figure('ticks it took', number(ticks), '1; each other one is a minute later');
});
