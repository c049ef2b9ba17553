import type { State } from '#sandbox/state.ts';
import { type FaultKind, isFaultKind } from './fault-kinds.ts';
import { ThrownResponse } from './http.ts';

export type ActiveFault = {
  id: number;
  kind: FaultKind;
  /** How many more times it applies; null: until it is removed. */
  times: number | null;
  delayMs: number | null;
  match: string | null;
  struck: number;
  at: string;
};

/** Activates a fault. Empty strings count as missing, because forms send them. */
export function addFault(state: State, input: Record<string, unknown>): ActiveFault {
  if (!isFaultKind(input.kind))
    throw new ThrownResponse(422, { error: `There is no fault “${String(input.kind)}”.` });
  const fault: ActiveFault = {
    id: ++state.faultCounter,
    kind: input.kind,
    times: wholeNumber(input.times, 'times', 1),
    delayMs: wholeNumber(input.delayMs, 'delayMs', 0),
    match: typeof input.match === 'string' && input.match !== '' ? input.match : null,
    struck: 0,
    at: new Date().toISOString(),
  };
  state.faults.push(fault);
  return fault;
}

function wholeNumber(value: unknown, name: string, min: number): number | null {
  if (value === undefined || value === null || value === '') return null;
  const number = Number(value);
  if (Number.isInteger(number) && number >= min) return number;
  throw new ThrownResponse(422, { error: `${name} must be a whole number from ${min} up.` });
}

export function removeFault(state: State, id: number) {
  state.faults = state.faults.filter((fault) => fault.id !== id);
}

/**
 * Returns the first active fault of the kinds whose `match` occurs in the text, ignoring case, and counts it as applied
 * once.
 */
export function takeFault(
  state: State,
  kinds: (kind: FaultKind) => boolean,
  text: string,
): ActiveFault | null {
  const matches = (match: string) => text.toLowerCase().includes(match.toLowerCase());
  const fault = state.faults.find((each) => kinds(each.kind) && (each.match === null || matches(each.match)));
  if (!fault) return null;
  fault.struck += 1;
  state.struck[fault.kind] = (state.struck[fault.kind] ?? 0) + 1;
  if (fault.times !== null) {
    fault.times -= 1;
    if (fault.times === 0) removeFault(state, fault.id);
  }
  return fault;
}
