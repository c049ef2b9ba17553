type Step = () => Promise<{ numAffectedRows?: bigint | undefined }>;

/** Repeats a statement, each time in its own transaction, until it changes fewer rows: locks stay short. */
export async function repeatUntilFewer(batchSize: number, step: Step): Promise<void> {
  while (((await step()).numAffectedRows ?? 0n) >= BigInt(batchSize));
}
