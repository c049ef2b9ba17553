/** Preloaded into a process whose clock is to be wrong: by so many milliseconds, ahead or behind. */
const shift = Number(process.env.CLOCK_SHIFT_MS);
const RealDate = Date;

globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, own) =>
    Reflect.construct(target, args.length ? args : [RealDate.now() + shift], own),
  get: (target, key, own) => (key === 'now' ? () => RealDate.now() + shift : Reflect.get(target, key, own)),
});
