import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { connectUrl, readTicket } from '#app/domain/linkedin/connect/tickets.ts';

const MINUTE_MS = 60_000;
const ticketOf = (userId: string, now: Date) => connectUrl(userId, now).split('/').at(-1)!;

test('the address by which a program has LinkedIn connected is good for ten minutes, and for the account it was made for', () => {
  const [userId, other] = [randomUUID(), randomUUID()];
  const now = new Date();
  const ticket = ticketOf(userId, now);
  const after = (minutes: number) => new Date(now.getTime() + minutes * MINUTE_MS);
  assert.equal(readTicket(ticket, after(9.9)), userId);
  assert.equal(readTicket(ticket, after(10)), undefined);
  const said = Buffer.from(ticket, 'base64url').toString();
  const forged = (text: string) => readTicket(Buffer.from(text).toString('base64url'), now);
  assert.equal(forged(said), userId);
  assert.equal(forged(said.replace(userId, other)), undefined);
  assert.equal(forged(said.replace(String(after(10).getTime()), String(after(90).getTime()))), undefined);
  assert.equal(forged(said.split('.').slice(0, 2).join('.')), undefined);
});
