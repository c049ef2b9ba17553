/** What is drawn is drawn alike in every run, so that a run says the same twice. SEED=1234 draws something else. */
export const SEED = Number(process.env.SEED ?? 2_026);
