import type { Locator, Page } from '@playwright/test';
import { aMinuteLater, PASSWORD } from '#tests/fixtures/accounts.ts';
import { codeMailedTo, enterCode, expect, newEmail, notice, open, test } from '#tests/harness/e2e/kit.ts';

async function signUp(page: Page, email: string) {
  await open(page, '/signup');
  await page.getByLabel('Full name').fill('Ada Marlow');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
}

async function paste(box: Locator, text: string) {
  await box.evaluate((element, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', text);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

test('the boxes of a code take keys one by one, step back, and are filled by a paste of digits alone', async ({
  page,
}) => {
  const email = newEmail();
  await signUp(page, email);
  const box = (place: number) => page.getByLabel(`Digit ${place}`);
  const verify = page.getByRole('button', { name: 'Verify Email' });

  await expect(box(1)).toBeFocused();
  await page.keyboard.type('12x3');
  await expect(box(4)).toBeFocused();
  await expect(box(3)).toHaveValue('3');
  await expect(verify).toBeDisabled();
  await page.keyboard.press('Backspace');
  await expect(box(3)).toBeFocused();
  await expect(box(3)).toHaveValue('');
  await page.keyboard.press('ArrowLeft');
  await expect(box(2)).toBeFocused();
  await expect(box(2)).toHaveValue('2');

  const group = page.getByRole('group', { name: 'Verification code' });
  for (const refused of ['ab12c3', '98 76-54', '1234567', '١٢٣٤٥٦']) {
    await paste(box(4), refused);
    await expect(group).toHaveAccessibleDescription(/Please enter complete 6-digit code/);
    await expect(box(1)).toHaveValue('1');
    await expect(box(3)).toHaveValue('');
  }
  await paste(box(4), '98');
  await expect(group).toHaveAccessibleDescription('');
  for (const [index, digit] of [...'98'].entries()) await expect(box(index + 1)).toHaveValue(digit);
  await expect(box(3)).toBeFocused();
  await paste(box(1), ` ${await codeMailedTo(email)}\n`);
  await expect(page.getByRole('heading', { name: 'Email Verified!' })).toBeVisible();
});

test('the sixth digit sends the code, and a wrong one empties the boxes', async ({ page }) => {
  const email = newEmail();
  await signUp(page, email);
  const code = await codeMailedTo(email);
  await enterCode(page, code === '000000' ? '000001' : '000000');
  const group = page.getByRole('group', { name: 'Verification code' });
  await expect(group).toHaveAccessibleDescription(/Invalid or expired OTP/);
  await expect(page.getByLabel('Digit 1')).toBeFocused();
  await expect(page.getByLabel('Digit 6')).toHaveValue('');
  await page.keyboard.type(code);
  await expect(page.getByRole('heading', { name: 'Email Verified!' })).toBeVisible();
});

test('the seconds until another code can be sent are counted down, and anew once it is sent', async ({
  page,
  db,
}) => {
  const email = newEmail();
  await page.clock.install();
  await signUp(page, email);
  const wait = page.getByText(/^Another code in \d+ s\.$/);
  const secondsLeft = async () => Number(/\d+/.exec(await wait.innerText())![0]);
  const before = await secondsLeft();
  expect(before).toBeLessThanOrEqual(60);
  await page.clock.fastForward(20_000);
  await expect.poll(secondsLeft).toBeLessThanOrEqual(before - 20);
  await page.clock.fastForward(40_000);
  await expect(page.getByText('No mail? Ask for another code.')).toBeVisible();

  await aMinuteLater(db, email);
  await page.getByRole('button', { name: 'Resend' }).click();
  await expect(notice(page, 'New OTP sent!')).toBeVisible();
  await expect.poll(secondsLeft).toBeGreaterThan(20);
});
