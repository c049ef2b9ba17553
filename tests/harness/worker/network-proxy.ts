import { type IncomingHttpHeaders, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { serve } from '#tests/harness/outside/sandbox.ts';

const POSTS = '/linkedin-api/rest/posts';

type Where = 'before' | 'after';

/** One call that is held, when it has come: the network has not seen it, or has answered unheard. */
export type Gate = { held: Promise<void>; open(): void };

type Answer = { status: number; headers: IncomingHttpHeaders; bytes: Buffer };
/** What comes back in place of an answer of the network. */
export type Reply = (res: ServerResponse, answer: Answer) => unknown;

type Rule = {
  where: Where;
  match: (call: string) => boolean;
  isUsed: boolean;
  gate: PromiseWithResolvers<void>;
  held: () => void;
  reply?: Reply;
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
    if (!rule) return undefined;
    rule.isUsed = true;
    rule.held();
    await rule.gate.promise;
    return rule.reply;
  };
  const begun: string[] = [];
  let resets = 0;
  const url = await serve(async (req, res) => {
    if (resets > 0 && req.url === POSTS) {
      resets--;
      return void req.socket.resetAndDestroy();
    }
    const body = await readAll(req);
    const call = `${req.method} ${req.url} ${body.toString('latin1')}`;
    begun.push(call);
    await pass('before', call);
    if (req.socket.destroyed) return;
    const { hostname, port } = network;
    const onward = request({ hostname, port, path: req.url, method: req.method, headers: req.headers });
    onward.on('error', () => res.destroy());
    onward.on('response', async (answer) => {
      const bytes = await readAll(answer).catch(() => undefined);
      const reply = await pass('after', call);
      if (!bytes) return void res.destroy();
      const { statusCode: status = 0, headers } = answer;
      if (reply) return void reply(res, { status, headers, bytes });
      res.writeHead(status, headers).end(bytes);
    });
    onward.end(body);
  });
  const hold = (where: Where, match: (call: string) => boolean): Gate => {
    const gate = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    rules.push({ where, match, isUsed: false, gate, held: held.resolve });
    return { held: held.promise, open: gate.resolve };
  };
  const createOf = (marker: string) => (call: string) =>
    call.startsWith(`POST ${POSTS} `) && call.includes(marker);
  return {
    url,
    /** How many calls that begin like this have come so far. */
    countCalls: (start: string) => begun.filter((call) => call.startsWith(start)).length,
    /** Holds the next create of a post whose text holds `marker`. */
    holdPost: (where: Where, marker: string) => hold(where, createOf(marker)),
    /** Holds the next call that begins like this. */
    hold: (where: Where, start: string) => hold(where, (call) => call.startsWith(start)),
    /** The answer to the next create of a post whose text holds `marker` comes back as `reply` writes it. */
    answerPost(marker: string, reply: Reply) {
      const gate = Promise.withResolvers<void>();
      gate.resolve();
      rules.push({ where: 'after', match: createOf(marker), isUsed: false, gate, held: () => {}, reply });
    },
    /** So many creates are cut off before their text is read. */
    resetPosts: (count: number) => {
      resets = count;
    },
  };
}

export type Wire = Awaited<ReturnType<typeof startWire>>;
