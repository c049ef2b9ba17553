import { sql } from 'kysely';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { expect, signInAs, test } from '#tests/harness/e2e/kit.ts';

test('an admin goes from the usual range to a longer one, and reads a chart as a table', async ({
  page,
  context,
  db,
}) => {
  await sql`insert into visit_days (day, kind, value, visits, visitors)
    select (now() at time zone 'utc')::date - nth, 'all', '', 10, 4 from generate_series(0, 100) as nth
    on conflict do nothing`.execute(db);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin');
  await page.getByRole('link', { name: 'Trends', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Trends', level: 1 })).toBeVisible();
  await expect(page.getByRole('img', { name: /^Visits of the last 30 days: [\d,]+ visits, / })).toBeVisible();
  await page.getByRole('link', { name: '90 days' }).click();
  await expect(page.getByRole('link', { name: '90 days' })).toHaveAttribute('aria-current', 'page');
  await expect(page.getByRole('img', { name: /^Visits of the last 90 days/ })).toBeVisible();
  const table = page.getByRole('table', { name: 'Visits by day, the latest first' });
  await expect(table).toBeHidden();
  await page.getByText('Show as table: Visits').press('Enter');
  await expect(table.getByRole('row')).toHaveCount(91);
});
