import { PASSWORD } from '#tests/make/accounts.ts';
import { expect, newEmail, test } from './kit.ts';

test('the boxes of a code take keys one by one, step back, and are filled by a paste', async ({ page }) => {
  await page.goto('/signup', { waitUntil: 'networkidle' });
  await page.getByLabel('Full name').fill('Ada Marlow');
  await page.getByLabel('Email').fill(newEmail());
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.getByLabel('Confirm password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create Account' }).click();
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

  await box(4).evaluate((element) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text', ' 98 76-54 ');
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  });
  for (const [index, digit] of [...'987654'].entries()) await expect(box(index + 1)).toHaveValue(digit);
  await expect(box(6)).toBeFocused();
  await expect(verify).toBeEnabled();
});
