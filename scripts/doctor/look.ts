/** What is wrong, in one sentence, and what mends it. */
export class Fault extends Error {
  readonly cure: string;
  constructor(what: string, cure: string) {
    super(what);
    this.cure = cure;
  }
}

/** One thing to look at. `look` answers what is well in a few words, or throws: a Fault, or whatever went wrong. */
export type Check = { name: string; cure: string; look: () => Promise<string> };
export type Finding = { name: string; isWell: boolean; words: string };

const MOST_MS = 20_000;

/** Looks at one thing, for a while at most. What is thrown that is no Fault gets the cure of its check. */
export async function lookAt({ name, cure, look }: Check): Promise<Finding> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${MOST_MS / 1000} seconds`)), MOST_MS);
  });
  try {
    return { name, isWell: true, words: await Promise.race([look(), late]) };
  } catch (error) {
    const known = error instanceof Fault ? error : new Fault(reasonOf(error), cure);
    return { name, isWell: false, words: `${known.message.replace(/\.$/, '')}. ${known.cure}` };
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || String(error)).split('\n')[0]!;
}
