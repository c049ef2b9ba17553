const MOST = 5_000;

/** A function of a text that remembers its latest answers: the same sentences are looked at for every post. */
export function remembered<T>(of: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    if (known.size >= MOST) known.clear();
    const answer = of(text);
    known.set(text, answer);
    return answer;
  };
}
