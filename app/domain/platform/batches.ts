type Step = () => Promise<{ numAffectedRows?: bigint | undefined }>;

/**
 * Runs a statement that changes or removes at most `atOnce` rows again and again, each time by itself, until it finds fewer: nobody
 * waits for a long one, and what a kill leaves is found the next time.
 */
export async function repeatUntilFewer(atOnce: number, step: Step): Promise<void> {
  while (((await step()).numAffectedRows ?? 0n) >= BigInt(atOnce));
}
