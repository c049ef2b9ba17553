const MOST = 5_000;

/** Caches the latest results, because the same sentences are analysed for every post. */
export function memoize<T>(compute: (text: string) => T): (text: string) => T {
  const cache = new Map<string, T>();
  return (text) => {
    const cached = cache.get(text);
    if (cached !== undefined) return cached;
    if (cache.size >= MOST) cache.clear();
    const result = compute(text);
    cache.set(text, result);
    return result;
  };
}
