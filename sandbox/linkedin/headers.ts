import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** The headers by which LinkedIn's support finds a call again; every answer of LinkedIn bears them. */
export function nameCall(res: ServerResponse) {
  res.setHeader('x-li-fabric', 'prod-lor1');
  res.setHeader('x-li-pop', 'afd-prod-lor1-x');
  res.setHeader('x-li-proto', 'http/1.1');
  res.setHeader('x-li-uuid', randomId().toString('base64'));
  res.setHeader('x-li-request-id', randomId().toString('hex', 0, 12));
}

/** 16 bytes; a UUID is made of what the process keeps ready. */
const randomId = () => Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
