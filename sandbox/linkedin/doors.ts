import { ServerResponse } from 'node:http';
import { failureAt, faultKindAt } from '#sandbox/server/fault-kinds.ts';
import { type ActiveFault, takeFault } from '#sandbox/server/faults.ts';
import { bearer, type Exchange, pause } from '#sandbox/server/http.ts';
import { sendFailure } from '#sandbox/server/wire-troubles.ts';
import type { State } from '#sandbox/state.ts';
import { refusalOf } from './refusals.ts';
import { readToken } from './tokens.ts';
import { type Endpoint, type Failure, isAfterWork } from './troubles.ts';

/** The text that the `match` of a fault is searched in: path, body, and the member of the token. */
function matchTextOf({ rawPath, req }: Exchange, raw: string): string {
  const token = readToken(bearer(req));
  return `${decodeURIComponent(rawPath)} ${raw} ${token?.email ?? ''} ${token?.sub ?? ''}`;
}

/** Waits when a `slow` fault is active, and returns that fault. */
export async function delayIfSlow(state: State, call: Exchange, endpoint: Endpoint, text: string) {
  const slow = takeFault(state, (kind) => kind === faultKindAt(endpoint, 'slow'), text);
  if (slow) await pause(call.res, slow.delayMs ?? 5000);
  return slow;
}

export function takeFailure(
  state: State,
  endpoint: Endpoint,
  text: string,
): { fault: ActiveFault; failure: Failure } | null {
  const applies = (failure: Failure | undefined) => failure !== undefined && failure !== 'slow';
  const fault = takeFault(state, (kind) => applies(failureAt(endpoint, kind)), text);
  return fault && { fault, failure: failureAt(endpoint, fault.kind)! };
}

/** Handles a call, or applies an active fault. A failure after the work discards the response of `work`. */
export async function withFailures(
  state: State,
  call: Exchange,
  endpoint: Endpoint,
  raw: string,
  work: (call: Exchange) => unknown,
): Promise<void> {
  const text = matchTextOf(call, raw);
  await delayIfSlow(state, call, endpoint, text);
  const taken = takeFailure(state, endpoint, text);
  if (!taken) return void (await work(call));
  const { fault, failure } = taken;
  if (isAfterWork(failure)) await work({ ...call, res: new ServerResponse(call.req) });
  const refusal = refusalOf(failure, { call, endpoint });
  if (refusal) throw refusal;
  await sendFailure(call.res, failure, { status: 200, headers: {} }, fault.delayMs);
}
