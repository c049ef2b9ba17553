import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

export type Load = {
  url: string;
  /** Requested in turn with `url`. */
  alsoUrls?: string[];
  /** Cookie headers, one for each request in turn. */
  cookies?: string[];
  /** Bearer tokens, one for each request in turn. */
  tokens?: string[];
  /** Sends X-Forwarded-For with one of many addresses. */
  fromManyAddresses?: boolean;
  /** A constant rate (open loop). Without it each connection sends its next request after a response. */
  perSecond?: number;
  connections: number;
  /** Ends early after this many requests. */
  maxRequests?: number;
  seconds: number;
  /** Precedes `seconds`; its requests are not counted. */
  warmUpSeconds: number;
  isCompressed: boolean;
  /** Each request records a visit, of one of many visitors. */
  recordsVisits?: boolean;
};

export type LoadResult = {
  /** Milliseconds from the due time of a request to the last byte of its response. */
  latencies: number[];
  /** Number of responses by status, or by error. */
  statuses: Record<string, number>;
  seconds: number;
};

/** Sends the requests from a process of its own, so that its CPU time is not counted for the server. */
export async function load(spec: Load): Promise<LoadResult> {
  const generator = fork(path.join(import.meta.dirname, 'load-generator.ts'));
  try {
    generator.send(spec);
    const [loaded] = await Promise.race([
      once(generator, 'message'),
      once(generator, 'exit').then(([code]) => {
        throw new Error(`The load generator ended with exit code ${code}`);
      }),
    ]);
    return loaded as LoadResult;
  } finally {
    generator.kill();
  }
}

/** Describes the responses with another status than 200; empty when there are none. */
export function otherStatuses({ statuses: answers }: LoadResult): string {
  const others = Object.entries(answers).filter(([status]) => status !== '200');
  return others.map(([status, count]) => `${count} × ${status}`).join(', ');
}
