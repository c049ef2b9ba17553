import { FeedbackInput } from '#app/domain/feedback/schema.ts';
import { submitFeedback } from '#app/domain/feedback/submit.ts';
import { saveReply } from '#app/domain/support/save-reply.ts';
import { makeUser } from '#tests/fixtures/accounts.ts';
import {
  expect,
  hasScripts,
  newEmail,
  newName,
  notice,
  open,
  signInAs,
  test,
} from '#tests/harness/e2e/kit.ts';

test('an admin answers a request, notes on it, and saves its status', async ({ page, context, db }) => {
  const [subject, email] = [`Invoice of ${newName()}`, newEmail()];
  const ticket = { name: 'Ada Quill', email, category: 'billing' as const, subject, message: 'Where is it?' };
  await db.insertInto('supportTickets').values(ticket).execute();
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin');
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Support & Feedback' })
    .click();
  await page.getByLabel('Search').fill(subject);
  await page.getByRole('button', { name: 'Show' }).click();
  await page.getByRole('link', { name: subject }).click();
  const dialog = page.getByRole('dialog', { name: subject });
  // A press of an arrow key would save another status.
  if (hasScripts()) await expect(dialog.getByText(email)).toBeVisible();
  if (hasScripts()) await expect(dialog.locator(':focus')).toContainText(email);
  await dialog.getByLabel('Internal note').fill('Ask the bank first');
  await dialog.getByRole('button', { name: 'Keep note' }).click();
  await expect(notice(page, 'Note kept')).toBeVisible();
  await dialog.getByRole('link', { name: 'Saved replies' }).click();
  await page.getByRole('link', { name: 'New reply' }).first().click();
  const title = `Paid ${newName()}`;
  await page.getByLabel('Title').fill(title);
  await page.getByLabel('Message').fill('Dear {name}, it is on its way.');
  await page.getByRole('button', { name: 'Save reply' }).click();
  await expect(notice(page, 'Reply saved')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Support & Feedback' }).click();
  await page.getByRole('link', { name: subject }).click();
  await dialog.getByRole('link', { name: title }).click();
  await expect(dialog.getByLabel('Answer')).toHaveValue('Dear Ada Quill, it is on its way.');
  await dialog.getByLabel('Answer').fill('It is on its way');
  await dialog.getByRole('button', { name: 'Send answer' }).click();
  await expect(notice(page, `Your answer goes to ${email}`)).toBeVisible();
  await expect(dialog.getByRole('list', { name: 'Thread' })).toContainText('It is on its way');
  await expect(dialog.getByLabel('Answer')).toHaveValue('');
  await dialog.getByLabel('Status').selectOption('Resolved');
  if (!hasScripts()) await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(notice(page, 'Support ticket updated')).toBeVisible();
  await expect(dialog).toBeVisible();
  await dialog.getByRole('link', { name: 'Close' }).click();
  await expect(dialog).toBeHidden();
  await expect(page.getByRole('listitem').filter({ hasText: subject })).toContainText('Resolved');
});

test('what an admin began to note stays while the answer is sent, and the focus goes to the answer', async ({
  page,
  context,
  db,
}) => {
  test.skip(!hasScripts(), 'Without scripts each form is sent alone');
  const [subject, email] = [`Receipt of ${newName()}`, newEmail()];
  const ticket = { name: 'Ada Quill', email, category: 'billing' as const, subject, message: 'Where is it?' };
  await db.insertInto('supportTickets').values(ticket).execute();
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await open(page, '/app/admin/support-feedback');
  await page.getByRole('link', { name: subject }).click();
  const dialog = page.getByRole('dialog', { name: subject });
  await dialog.getByLabel('Internal note').fill('Paid twice?');
  await dialog.getByLabel('Answer').fill('It is under Payment History');
  const send = dialog.getByRole('button', { name: 'Send answer' });
  await send.focus();
  await send.press('Enter');
  await expect(notice(page, `Your answer goes to ${email}`)).toBeVisible();
  await expect(dialog.getByLabel('Answer')).toHaveValue('');
  await expect(dialog.getByLabel('Internal note')).toHaveValue('Paid twice?');
  await expect(dialog.getByRole('listitem').filter({ hasText: 'It is under Payment History' })).toBeFocused();
});

test('an admin decides on feedback, and its author sees it on the board', async ({ page, context, db }) => {
  const [author, title] = [await makeUser(db), `Wish of ${newName()}`];
  const input = FeedbackInput.parse({ type: 'feature_request', title, description: 'It would help.' });
  await submitFeedback(db, author, input);
  await signInAs(context, db, await makeUser(db, { isAdmin: true }));
  await page.goto('/app/admin/support-feedback');
  await page.getByRole('link', { name: 'User Feedback' }).click();
  await page.getByRole('link', { name: title }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByLabel('Status').selectOption('Planned');
  if (!hasScripts()) await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(notice(page, 'Feedback updated')).toBeVisible();
  await expect(dialog).toContainText('Planned');
  await signInAs(context, db, author);
  await page.goto('/app/feedback?sort=own');
  await expect(page.getByRole('main').getByRole('listitem').filter({ hasText: title })).toContainText(
    'Planned',
  );
});

test('the details of what has a long title open at it, and as wide as their screen', async ({
  page,
  context,
  db,
}) => {
  const admin = await makeUser(db, { isAdmin: true });
  const [from, title] = [{ name: 'Ada Quill', email: newEmail() }, newName()];
  const { id } = await db
    .insertInto('supportTickets')
    .values({ ...from, category: 'billing', subject: title.padEnd(150, 'W'), message: 'Where?\n'.repeat(40) })
    .returning('id')
    .executeTakeFirstOrThrow();
  const feedback = await submitFeedback(
    db,
    await makeUser(db),
    FeedbackInput.parse({
      type: 'bug',
      title: title.padEnd(120, 'W'),
      description: 'On my phone.\n'.repeat(40),
    }),
  );
  await saveReply(db, admin, { replyId: null, title: newName().padEnd(60, 'W'), message: 'Thank you' });
  await signInAs(context, db, admin);
  await page.setViewportSize({ width: 390, height: 700 });
  for (const query of [`?open=${id}`, `?tab=feedback&open=${feedback.id}`]) {
    await page.goto(`/app/admin/support-feedback${query}`);
    const dialog = page.getByRole('dialog', { name: title });
    if (hasScripts()) await expect(dialog.locator(':focus')).toBeVisible();
    await expect(dialog.getByRole('link', { name: 'Close' })).toBeInViewport({ ratio: 1 });
    expect(await dialog.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
  }
});
