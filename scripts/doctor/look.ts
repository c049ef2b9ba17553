/** `message`: the problem in one sentence. `fix`: how to solve it. */
export class CheckFailure extends Error {
  readonly fix: string;
  constructor(message: string, fix: string) {
    super(message);
    this.fix = fix;
  }
}

/** `run` returns a few words about a passed check, and throws a CheckFailure or any other error otherwise. */
export type Check = { name: string; fix: string; run: () => Promise<string> };
export type CheckResult = { name: string; isOk: boolean; message: string };

const MOST_MS = 20_000;

/** Runs a check with a time limit. An error that is no CheckFailure gets the `fix` of the check. */
export async function runCheck({ name, fix, run }: Check): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`No answer within ${MOST_MS / 1000} seconds`)), MOST_MS);
  });
  try {
    return { name, isOk: true, message: await Promise.race([run(), late]) };
  } catch (error) {
    const failure = error instanceof CheckFailure ? error : new CheckFailure(reasonOf(error), fix);
    return { name, isOk: false, message: `${failure.message.replace(/\.$/, '')}. ${failure.fix}` };
  } finally {
    clearTimeout(timer);
  }
}

function reasonOf(error: unknown): string {
  const { message, code } = error as { message?: string; code?: string };
  return (message || code || String(error)).split('\n')[0]!;
}
