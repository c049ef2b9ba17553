/**
 * Preloaded into a process whose clock is to be wrong: by so many milliseconds, ahead or behind, or standing at the
 * instant that a file holds.
 */
import { readFileSync } from 'node:fs';

const { CLOCK_SHIFT_MS, CLOCK_FILE } = process.env;
const RealDate = Date;
const now = () =>
  CLOCK_FILE ? Number(readFileSync(CLOCK_FILE, 'utf8')) : RealDate.now() + Number(CLOCK_SHIFT_MS);

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, own) => Reflect.construct(target, args.length ? args : [now()], own),
  get: (target, key, own) => (key === 'now' ? now : Reflect.get(target, key, own)),
});
