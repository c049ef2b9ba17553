import { serve } from '#tests/harness/outside/sandbox.ts';

const GIF = Buffer.from('R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==', 'base64');

type Loading = { asked: PromiseWithResolvers<void>; gate: PromiseWithResolvers<void> };

/** A picture on the web that the first `slow` askers wait for, each until it is let go. */
export async function servePicture(slow = 0) {
  const loadings: Loading[] = Array.from({ length: slow }, () => ({
    asked: Promise.withResolvers<void>(),
    gate: Promise.withResolvers<void>(),
  }));
  let count = 0;
  const origin = await serve(async (_req, res) => {
    const loading = loadings[count++];
    loading?.asked.resolve();
    await loading?.gate.promise;
    res.end(GIF);
  });
  return {
    url: `${origin}/picture.gif`,
    asked: (nth: number) => loadings[nth]!.asked.promise,
    open: (nth: number) => loadings[nth]!.gate.resolve(),
  };
}
