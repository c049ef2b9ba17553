import { makeUser } from '#tests/fixtures/accounts.ts';
import { makeDeadJob } from '#tests/fixtures/dead-jobs.ts';
import { expect, signInAs, test } from '#tests/harness/e2e/kit.ts';

test('an admin goes from a number to the failed jobs behind it, has one begun again and gives one up', async ({
  page,
  context,
  db,
}) => {
  const admin = await makeUser(db, { isAdmin: true });
  // Of a row that is not there, so that a worker that takes it has nothing to do.
  const mailId = '00000000-0000-4000-8000-000000000000';
  const [again, gone] = [
    await makeDeadJob(db, 'send-mail', { mailId }),
    await makeDeadJob(db, 'send-mail', { mailId }),
  ];
  await signInAs(context, db, admin);
  await page.goto('/app/admin');
  await page.getByRole('link', { name: 'Operations', exact: true }).click();
  await expect(page.getByRole('heading', { name: 'Operations', level: 1 })).toBeVisible();
  await page.getByRole('link', { name: /^Dead jobs/ }).click();
  await expect(page.getByRole('heading', { name: 'Dead jobs', level: 1 })).toBeVisible();
  await page.getByRole('button', { name: `Retry send-mail (${again})` }).click();
  await expect(page.getByText('send-mail is begun again')).toBeVisible();
  await expect(page.getByRole('button', { name: `Retry send-mail (${again})` })).toHaveCount(0);
  await page.getByRole('link', { name: `Discard send-mail (${gone})` }).click();
  await expect(page.getByRole('heading', { name: 'Discard this job?' })).toBeVisible();
  await page.getByRole('button', { name: 'Discard the job' }).click();
  await expect(page.getByText('send-mail is given up')).toBeVisible();
  await expect(page.getByRole('link', { name: `Discard send-mail (${gone})` })).toHaveCount(0);
});
