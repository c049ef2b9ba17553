import { sql } from 'kysely';
import { makeUser } from '#tests/fixtures/accounts.ts';
import { makePublisher, makeScheduledPost } from '#tests/fixtures/posts.ts';
import { expect, newName, notice, sandboxUrl, signInAs, test } from '#tests/harness/e2e/kit.ts';

test('an admin finds somebody, reads their posts in the list and closes them again', async ({
  page,
  context,
  db,
}) => {
  const name = newName();
  const author = await makeUser(db, { name: `Ada ${name}` });
  await makeUser(db, { name: `Bo ${name}` });
  await makeScheduledPost(db, author, { content: `What ${name} learned about planning` });
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin');
  await page.getByRole('navigation', { name: 'Sections' }).getByRole('link', { name: 'Users' }).click();
  await expect(page).toHaveTitle(/^Users/);
  await page.getByLabel('Search').fill(name);
  await page.getByRole('button', { name: 'Show' }).click();
  await expect(page).toHaveURL(new RegExp(`q=${name}`));
  const lines = page.getByRole('main').getByRole('listitem').filter({ hasText: name });
  await expect(lines).toHaveCount(2);
  const link = page.getByRole('link', { name: author.name, exact: true });
  await expect(link).toHaveAttribute('aria-expanded', 'false');
  await link.click();
  const posts = page.getByRole('region', { name: `Posts of ${author.name}` });
  await expect(posts).toContainText(`What ${name} learned about planning`);
  await expect(page.getByLabel('Search')).toHaveValue(name);
  await expect(link).toHaveAttribute('aria-expanded', 'true');
  await link.click();
  await expect(posts).toHaveCount(0);
  await page.getByRole('link', { name: 'Clear' }).click();
  await expect(page.getByLabel('Search')).toHaveValue('');
});

test('on a phone the tabs stand in one row, with the one that is open in sight, and the days of the log side by side', async ({
  page,
  context,
  db,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  for (const [address, label] of [
    ['/app/admin', 'Overview'],
    ['/app/admin?tab=visits', 'Visits'],
    ['/app/admin/operations', 'Operations'],
  ] as const) {
    await page.goto(address);
    const tabs = page.getByRole('navigation', { name: 'Sections' });
    const tops = await tabs
      .getByRole('link')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().top));
    expect(tops.length).toBeGreaterThan(8);
    expect(new Set(tops.map(Math.round)).size, address).toBe(1);
    const { x, width } = (await tabs.getByRole('link', { name: label, exact: true }).boundingBox())!;
    expect(x, label).toBeGreaterThanOrEqual(0);
    expect(x + width, label).toBeLessThanOrEqual(390);
  }
  await sql`insert into audit_log (action, detail) values ('job.retried', '{}')`.execute(db);
  await page.goto('/app/admin/audit');
  const [first, last] = [
    (await page.getByLabel('First day').boundingBox())!,
    (await page.getByLabel('Last day').boundingBox())!,
  ];
  expect([last.y, last.height, last.width]).toEqual([first.y, first.height, first.width]);
  expect(last.x).toBeGreaterThan(first.x + first.width);
});

test('the time whose visits are counted is chosen by its number', async ({ page, context, db }) => {
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin?tab=visits');
  const times = page.getByRole('navigation', { name: 'Time that is counted' });
  await times.getByRole('link', { name: /This week/ }).click();
  await expect(page).toHaveURL(/span=week/);
  await expect(times.getByRole('link', { name: /This week/ })).toHaveAttribute('aria-current', 'true');
  await page.getByRole('link', { name: 'Refresh' }).click();
  await expect(page).toHaveURL(/span=week/);
});

test('an account is stopped with a reason, and goes on again', async ({ page, context, db }) => {
  const person = await makePublisher(db, sandboxUrl());
  const why = `For the days it was stopped, ${newName()}`;
  await makeScheduledPost(db, person, {
    content: `What ${newName()} learned`,
    dueAt: new Date(Date.now() + 3_600_000),
  });
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto(`/app/admin?tab=users&user=${person.userId}&q=${person.userId}`);
  await page.getByRole('link', { name: `Everything of ${person.name}` }).click();
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  await page.getByRole('link', { name: 'Disable account' }).click();
  const dialog = page.getByRole('dialog', { name: 'Disable this account?' });
  await dialog.getByLabel('Reason').fill('Sells followers');
  await dialog.getByRole('button', { name: 'Disable account' }).click();
  await expect(notice(page, 'Account disabled')).toBeVisible();
  await expect(page.getByRole('main')).toContainText('Sells followers');
  await page.getByRole('link', { name: 'Extend plan' }).click();
  await page.getByLabel('Days').fill('3');
  await page.getByLabel('Reason').fill(why);
  // Another admin was quicker: the form is refused, and shows how it is now.
  await db
    .updateTable('payments')
    .set({ endsAt: sql`ends_at + interval '1 day'` })
    .where('userId', '=', person.userId)
    .execute();
  const extension = page.getByRole('dialog', { name: 'Extend this plan?' });
  await extension.getByRole('button', { name: 'Extend plan' }).click();
  await expect(extension).toContainText('it was extended or changed meanwhile. Nothing was changed now');
  await expect(extension.getByLabel('Days')).toHaveValue('3');
  await extension.getByRole('button', { name: 'Extend plan' }).click();
  await expect(notice(page, 'Plan extended')).toBeVisible();
  await page.getByRole('link', { name: 'Enable account' }).click();
  await page.getByRole('button', { name: 'Enable account' }).click();
  await expect(notice(page, 'Account enabled')).toBeVisible();
  await page.goto('/app/admin/audit');
  await expect(page.getByRole('row').filter({ hasText: why })).toContainText('Extended a plan');
});
