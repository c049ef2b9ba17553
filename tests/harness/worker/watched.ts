/** Preloaded into a worker whose looks at the clocks seem to be a minute old. */
const steady = performance.now.bind(performance);
performance.now = () => {
  const caller = new Error().stack!.split('\n')[2]!;
  return caller.includes('recordClock') ? steady() - 60_000 : steady();
};
