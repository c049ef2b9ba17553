import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';

/** LinkedIn sends these headers with every response; its support identifies calls by them. */
export function setCallHeaders(res: ServerResponse) {
  res.setHeader('x-li-fabric', 'prod-lor1');
  res.setHeader('x-li-pop', 'afd-prod-lor1-x');
  res.setHeader('x-li-proto', 'http/1.1');
  res.setHeader('x-li-uuid', randomId().toString('base64'));
  res.setHeader('x-li-request-id', randomId().toString('hex', 0, 12));
}

/** 16 bytes. randomUUID() is faster than randomBytes(), because it caches entropy. */
const randomId = () => Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
