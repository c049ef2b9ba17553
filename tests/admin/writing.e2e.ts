import { sql } from 'kysely';
import { countCall, countTokens } from '#app/domain/writing/usage-limits.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { expect, newName, signInAs, test } from '#tests/harness/e2e/kit.ts';

test('an admin goes from what was written today to who asked on an earlier day', async ({
  page,
  context,
  db,
}) => {
  const [today, earlier] = [newName(), newName()];
  const [asker, asked] = [await makeUser(db, { name: today }), await makeUser(db, { name: earlier })];
  await countCall(db, asker.userId);
  // More than anybody else in this database, so that it stands first.
  await countTokens(db, asker.userId, { model: 'm', inputTokens: 2_500_000, outputTokens: 200_000 });
  await sql`insert into writer_days (day, calls, input_tokens, output_tokens)
    values ((now() at time zone 'utc')::date - 1, 7, 900, 100) on conflict do nothing`.execute(db);
  await sql`insert into writer_calls (user_id, day, calls, input_tokens, output_tokens)
    values (${asked.userId}, (now() at time zone 'utc')::date - 1, 7, 80000000, 100)`.execute(db);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin');
  await page.getByRole('link', { name: 'Writing', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Writing', level: 1 })).toBeVisible();
  await expect(page.getByRole('cell', { name: today })).toBeVisible();
  const days = page.getByRole('link', { name: /calls/ });
  await expect(days.first()).toHaveAttribute('aria-current', 'true');
  await days.nth(1).click();
  await expect(page.getByRole('heading', { name: 'Who asked: Yesterday' })).toBeInViewport();
  await expect(page.getByRole('cell', { name: earlier })).toBeVisible();
  await expect(page.getByRole('cell', { name: today })).toHaveCount(0);
  await expect(days.nth(1)).toHaveAttribute('aria-current', 'true');
});
