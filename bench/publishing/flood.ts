/** How long the tick takes to enqueue 20,000 posts that are due in the same minute. */
import { sql } from 'kysely';
import { enqueueDuePosts } from '#app/domain/publishing/send/tick.ts';
import { addUsers, vacuumAndCheckpoint } from '#bench/data/users.ts';
import { figure, ms, number, title } from '#bench/measure/figures.ts';
import { measure, openProduct } from '#bench/measure/product.ts';

const POSTS = 20_000;
const USERS = 2_000;

await measure(async (stops) => {
  const { db } = await openProduct(stops);
  const users = await addUsers(db, USERS);
  await sql`
    with added as (
      insert into posts (user_id, content, slot_date, slot_number, publish_at)
      select id, 'Due at once ' || n, current_date, n, now()
      from unnest(${users}::uuid[]) as person(id), generate_series(1, ${POSTS / USERS}::int) as n
      returning id, user_id, publish_at
    )
    insert into post_schedules (post_id, user_id, due_at) select id, user_id, publish_at from added`.execute(
    db,
  );
  await vacuumAndCheckpoint(db);

  title(`${number(POSTS)} posts due in one minute`);
  const startedAt = performance.now();
  const now = new Date();
  await enqueueDuePosts(db, now);
  const took = performance.now() - startedAt;
  const { rows } = await sql<{ count: string }>`
    select count(*) from graphile_worker.jobs where task_identifier in ('send-batch', 'publish-post')`.execute(
    db,
  );
  figure('until all are handed over', ms(took));
  figure('jobs', number(Number(rows[0]!.count)));
});
