import { ServerResponse } from 'node:http';
import { kindAt, troubleAt } from '#sandbox/server/fault-kinds.ts';
import { type ActiveFault, strike } from '#sandbox/server/faults.ts';
import { bearer, type Exchange, pause } from '#sandbox/server/http.ts';
import { misbehave } from '#sandbox/server/wire-troubles.ts';
import type { State } from '#sandbox/state.ts';
import { refusalOf } from './refusals.ts';
import { readToken } from './tokens.ts';
import { type Door, isAfter, type Trouble } from './troubles.ts';

/** What a fault's match is looked for in besides the body: path, and who calls. */
function seenIn({ rawPath, req }: Exchange, raw: string): string {
  const token = readToken(bearer(req));
  return `${decodeURIComponent(rawPath)} ${raw} ${token?.email ?? ''} ${token?.sub ?? ''}`;
}

/** Waits when the door is slow; answers the fault that waited. */
export async function slowDown(state: State, call: Exchange, door: Door, text: string) {
  const slow = strike(state, (kind) => kind === kindAt(door, 'slow'), text);
  if (slow) await pause(call.res, slow.delayMs ?? 5000);
  return slow;
}

/** The trouble that strikes at a door, and its fault. */
export function troubleOf(
  state: State,
  door: Door,
  text: string,
): { fault: ActiveFault; trouble: Trouble } | null {
  const isHere = (trouble: Trouble | undefined) => trouble !== undefined && trouble !== 'slow';
  const fault = strike(state, (kind) => isHere(troubleAt(door, kind)), text);
  return fault && { fault, trouble: troubleAt(door, fault.kind)! };
}

/** Does the work of a call, or what a fault makes of it. Work that is done `after` is done unheard. */
export async function throughDoor(
  state: State,
  call: Exchange,
  door: Door,
  raw: string,
  work: (call: Exchange) => unknown,
): Promise<void> {
  const text = seenIn(call, raw);
  await slowDown(state, call, door, text);
  const struck = troubleOf(state, door, text);
  if (!struck) return void (await work(call));
  const { fault, trouble } = struck;
  if (isAfter(trouble)) await work({ ...call, res: new ServerResponse(call.req) });
  const refusal = refusalOf(trouble, { call, door });
  if (refusal) throw refusal;
  await misbehave(call.res, trouble, { status: 200, headers: {} }, fault.delayMs);
}
