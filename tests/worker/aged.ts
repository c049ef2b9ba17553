/** Preloaded into a worker that has watched the clocks for a minute as soon as it gets the signal. */
const steady = performance.now.bind(performance);
let more = 0;
performance.now = () => steady() + more;
process.once('SIGUSR2', () => {
  more = 60_000;
});
