/**
 * Does `work` for each item by itself, so that one that fails stops no other. Throws an AggregateError of
 * what failed when all have had their turn.
 */
export async function forEachSettled<T>(
  items: Iterable<T>,
  work: (item: T) => Promise<unknown>,
): Promise<void> {
  const errors: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw new AggregateError(errors, `${errors.length} failed`);
}
