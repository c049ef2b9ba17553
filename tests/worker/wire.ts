import { type IncomingMessage, request } from 'node:http';
import { serve } from '#tests/make/outside.ts';

type Where = 'before' | 'after';

/** One call that is held, when it has come: the network has not seen it, or has answered unheard. */
export type Gate = { held: Promise<void>; open(): void };

type Rule = {
  where: Where;
  match: (call: string) => boolean;
  isUsed: boolean;
  gate: PromiseWithResolvers<void>;
  held: () => void;
};

async function readAll(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/**
 * A wire to the network that can hold one call before it reaches the network, or its answer on the way
 * back. A call is matched as `METHOD path body`.
 */
export async function startWire(networkUrl: string) {
  const network = new URL(networkUrl);
  const rules: Rule[] = [];
  const pass = async (where: Where, call: string) => {
    const rule = rules.find((each) => !each.isUsed && each.where === where && each.match(call));
    if (!rule) return;
    rule.isUsed = true;
    rule.held();
    await rule.gate.promise;
  };
  const url = await serve(async (req, res) => {
    const body = await readAll(req);
    const call = `${req.method} ${req.url} ${body.toString('latin1')}`;
    await pass('before', call);
    if (req.socket.destroyed) return;
    const { hostname, port } = network;
    const onward = request({ hostname, port, path: req.url, method: req.method, headers: req.headers });
    onward.on('error', () => res.destroy());
    onward.on('response', async (answer) => {
      const bytes = await readAll(answer).catch(() => undefined);
      await pass('after', call);
      if (!bytes) return void res.destroy();
      res.writeHead(answer.statusCode!, answer.headers).end(bytes);
    });
    onward.end(body);
  });
  const hold = (where: Where, match: (call: string) => boolean): Gate => {
    const gate = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    rules.push({ where, match, isUsed: false, gate, held: held.resolve });
    return { held: held.promise, open: gate.resolve };
  };
  return {
    url,
    /** Holds the next create of a post whose text holds `marker`. */
    holdPost: (where: Where, marker: string) =>
      hold(where, (call) => call.startsWith('POST /linkedin-api/rest/posts ') && call.includes(marker)),
    /** Holds the next call that begins like this. */
    hold: (where: Where, start: string) => hold(where, (call) => call.startsWith(start)),
  };
}

export type Wire = Awaited<ReturnType<typeof startWire>>;
