import { setTimeout as pause } from 'node:timers/promises';

/** Longer than what is done for a code takes, with the hash of a password. */
const STEP_MS = 150;

/**
 * Ends a whole number of steps after it began, whatever was done meanwhile: to write a code and its mail takes longer than
 * to write none, and would tell who holds a stopwatch whether an address has an account.
 */
export async function inConstantTime<T>(work: () => Promise<T>): Promise<T> {
  const began = performance.now();
  try {
    return await work();
  } finally {
    const took = performance.now() - began;
    await pause(Math.ceil(took / STEP_MS) * STEP_MS - took);
  }
}
