/** Thrown to whoever reads such an answer. */
class AnswerTooLong extends Error {
  override name = 'AnswerTooLong';
}

/** `fetch`, but the body of an answer ends with AnswerTooLong when it has more than `mostBytes`. */
export const boundedFetch =
  (mostBytes: number, ask: typeof fetch = fetch): typeof fetch =>
  async (...asked: Parameters<typeof fetch>) => {
    const answer = await ask(...asked);
    let bytes = 0;
    const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, rest) {
        bytes += chunk.byteLength;
        if (bytes > mostBytes) rest.error(new AnswerTooLong(`It has more than ${mostBytes} bytes`));
        else rest.enqueue(chunk);
      },
    });
    return answer.body ? new Response(answer.body.pipeThrough(bound), answer) : answer;
  };
