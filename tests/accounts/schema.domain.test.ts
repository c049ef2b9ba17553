import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { z } from 'zod';
import { LoginInput, OtpForm, SignUpForm, SignUpInput, VerifyInput } from '#app/domain/accounts/schema.ts';
import { SettingsChange } from '#app/domain/automation/schema.ts';

const right = {
  name: 'Ada Marlow',
  email: 'ada@example.com',
  password: 'long enough',
  confirmPassword: 'long enough',
};

/** The first message of each field. */
function faults(schema: z.ZodType, input: unknown): Record<string, string> {
  const issues = schema.safeParse(input).error?.issues ?? [];
  return Object.fromEntries(issues.toReversed().map((issue) => [issue.path.join('.'), issue.message]));
}

test('anything but one address is refused', () => {
  for (const email of [
    'ada',
    'ada@',
    'a@example.com,b@example.com',
    'a@example.com b@example.com',
    'a@example.com\nb@example.com',
    'Ada <a@example.com>',
    'a\0@example.com',
    `${'a'.repeat(250)}@example.com`,
  ]) {
    assert.deepEqual(faults(SignUpInput, { ...right, email }), {
      email: 'Please enter one valid email address',
    });
  }
});

test('every field of the forms must be filled in', () => {
  const missing = 'Please fill in all fields';
  assert.deepEqual(faults(SignUpForm, {}), {
    name: missing,
    email: missing,
    password: missing,
    confirmPassword: missing,
  });
  assert.deepEqual(faults(SignUpForm, { ...right, name: '   ' }), { name: missing });
  assert.deepEqual(faults(LoginInput, { email: ' ', password: '' }), { email: missing, password: missing });
});

test('a sign-in takes any text for an address but what the database cannot hold', () => {
  assert.deepEqual(LoginInput.parse({ email: ' X ', password: ' ' }), { email: 'x', password: ' ' });
  assert.deepEqual(faults(LoginInput, { email: 'a\0', password: 'x' }), {
    email: 'Please enter one valid email address',
  });
});

test('passwords have 6 to 128 characters and match', () => {
  const both = (password: string) => ({ ...right, password, confirmPassword: password });
  assert.deepEqual(faults(SignUpForm, both('12345')), { password: 'Password must be at least 6 characters' });
  assert.deepEqual(faults(SignUpForm, both('x'.repeat(129))), {
    password: 'Password can have at most 128 characters',
  });
  assert.deepEqual(faults(SignUpForm, both('x'.repeat(128))), {});
  assert.deepEqual(faults(SignUpForm, { ...right, confirmPassword: 'something else' }), {
    confirmPassword: 'Passwords do not match',
  });
});

test('a password is not trimmed', () => {
  assert.equal(SignUpInput.parse({ ...right, password: '  spaces  ' }).password, '  spaces  ');
});

test('a time zone nobody knows is UTC', () => {
  assert.equal(SignUpInput.parse(right).timeZone, 'UTC');
  assert.equal(SignUpInput.parse({ ...right, timeZone: 'Mars/Olympus' }).timeZone, 'UTC');
  assert.equal(SignUpInput.parse({ ...right, timeZone: 'Europe/Paris' }).timeZone, 'Europe/Paris');
});

test('a time zone that can be written but not counted in is not taken', () => {
  for (const zone of ['US/Pacific-New', 'SystemV/PST8PDT', '2026-01-01T00:00[Europe/Paris]']) {
    assert.equal(SignUpInput.parse({ ...right, timeZone: zone }).timeZone, 'UTC');
    assert.equal(SettingsChange.safeParse({ timeZone: zone }).success, false, zone);
  }
});

test('a code is six digits', () => {
  const email = 'ada@example.com';
  const boxes = { digit1: '0', digit2: '1', digit3: '2', digit4: '3', digit5: '4', digit6: '5' };
  assert.equal(OtpForm.parse(boxes).otp, '012345');
  const incomplete = { otp: 'Please enter complete 6-digit code' };
  assert.deepEqual(faults(OtpForm, { ...boxes, digit6: undefined }), incomplete);
  assert.deepEqual(faults(OtpForm, { ...boxes, digit6: 'x' }), incomplete);
  for (const otp of ['12345', '1234567', '12345a', '１２３４５６', 123456, undefined]) {
    assert.deepEqual(faults(VerifyInput, { email, otp }), incomplete);
  }
});
