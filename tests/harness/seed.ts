/** What is drawn is drawn alike in every run, so that a run says the same twice. SEED=1234 draws something else. */
export const SEED = Number(process.env.SEED ?? 2_026);

/** Draws numbers from 0 to below 1, for one seed always the same. */
export function dice(seed: number): () => number {
  let state = seed + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}
