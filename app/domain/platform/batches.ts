type Step = () => Promise<{ numAffectedRows?: bigint | undefined }>;

/**
 * Repeats a statement that changes at most `batchSize` rows, each time in its own transaction, until it changes
 * fewer: locks stay short, and the next run finds what a kill left.
 */
export async function repeatUntilFewer(batchSize: number, step: Step): Promise<void> {
  while (((await step()).numAffectedRows ?? 0n) >= BigInt(batchSize));
}
