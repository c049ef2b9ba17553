import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type Load = {
  url: string;
  /** Others, asked in turn with it. */
  alsoUrls?: string[];
  /** One for each request in turn; none: the requests carry no cookie. */
  cookies?: string[];
  /** One for each request in turn, as bearer tokens. */
  tokens?: string[];
  /** Each request says, as a proxy would, that it comes from one of many addresses. */
  isFromMany?: boolean;
  /** A constant rate, whatever the answers do (open loop); left out: `connections` that never rest. */
  perSecond?: number;
  connections: number;
  /** Ends as well when so many were sent. */
  atMost?: number;
  seconds: number;
  /** Requests of this first part are not counted. */
  warmUpSeconds: number;
  isCompressed: boolean;
  /** Each request tells of a visit, of one of many people. */
  tellsOfVisits?: boolean;
};

export type Loaded = {
  /** Milliseconds from the instant a request was due to the last byte of its answer. */
  latencies: number[];
  /** Answers by status; a request that got none counts under its error. */
  answers: Record<string, number>;
  seconds: number;
};

/** Loads an address from a process of its own, so that the generator's CPU is not the server's. */
export async function load(spec: Load): Promise<Loaded> {
  const generator = fork(path.join(import.meta.dirname, 'load-generator.ts'));
  try {
    generator.send(spec);
    const [loaded] = await Promise.race([
      once(generator, 'message'),
      once(generator, 'exit').then(([code]) => {
        throw new Error(`The load generator ended with exit code ${code}`);
      }),
    ]);
    return loaded as Loaded;
  } finally {
    generator.kill();
  }
}

/** What was answered besides 200, in words; empty when nothing was. */
export function otherAnswers({ answers }: Loaded): string {
  const others = Object.entries(answers).filter(([status]) => status !== '200');
  return others.map(([status, count]) => `${count} × ${status}`).join(', ');
}
