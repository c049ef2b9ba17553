class ResponseTooLarge extends Error {
  override name = 'ResponseTooLarge';
}

/** Returns a `fetch` that fails reading the body of a response after `maxBytes`. */
export const boundedFetch =
  (maxBytes: number, baseFetch: typeof fetch = fetch): typeof fetch =>
  async (...args: Parameters<typeof fetch>) => {
    const response = await baseFetch(...args);
    let bytes = 0;
    const bound = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        if (bytes > maxBytes) controller.error(new ResponseTooLarge(`It has more than ${maxBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    return response.body ? new Response(response.body.pipeThrough(bound), response) : response;
  };
