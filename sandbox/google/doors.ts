import { ServerResponse } from 'node:http';
import { refusalOf } from '#sandbox/linkedin/refusals.ts';
import { isAfter, WIRE } from '#sandbox/linkedin/troubles.ts';
import { strike } from '#sandbox/server/faults.ts';
import { type Exchange, pause } from '#sandbox/server/http.ts';
import { misbehave } from '#sandbox/server/wire-troubles.ts';
import type { State } from '#sandbox/state.ts';
import { type GoogleDoor, googleKindAt } from './troubles.ts';

/** Does the work of a call to Google, or what a fault of the wire makes of it. */
export async function throughGoogle(
  state: State,
  call: Exchange,
  door: GoogleDoor,
  seen: string,
  work: (call: Exchange) => unknown,
): Promise<void> {
  const slow = strike(state, (kind) => kind === googleKindAt(door, 'slow'), seen);
  if (slow) await pause(call.res, slow.delayMs ?? 5000);
  const troubles = new Map(WIRE.map((trouble) => [googleKindAt(door, trouble) as string, trouble]));
  troubles.delete(googleKindAt(door, 'slow'));
  const fault = strike(state, (kind) => troubles.has(kind), seen);
  if (!fault) return void (await work(call));
  const trouble = troubles.get(fault.kind)!;
  if (isAfter(trouble)) await work({ ...call, res: new ServerResponse(call.req) });
  const refusal = refusalOf(trouble, { call, door: 'token' });
  if (refusal) throw refusal;
  await misbehave(call.res, trouble, { status: 200, headers: {} }, fault.delayMs);
}
