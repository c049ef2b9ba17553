import { existsSync, globSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { readsBrotli } from './packed.ts';

const TYPES: Record<string, string> = {
  js: 'application/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/**
 * The build leaves the brotli form of its scripts and style sheets beside them, a seventh smaller than one made
 * while it is sent. The function that comes back turns a request for such a file, by its decoded path, into one
 * for that form, for whoever reads it.
 *
 * @param client The folder of the build that browsers see.
 */
export function offerPacked(client: string) {
  const packed = new Set(globSync('assets/*.br', { cwd: client }).map((file) => `/${file}`));
  return (request: IncomingMessage, response: ServerResponse, path: string): void => {
    const type = TYPES[path.slice(path.lastIndexOf('.') + 1)];
    if (request.method !== 'GET' && request.method !== 'HEAD') return;
    if (!type || !packed.has(`${path}.br`)) return;
    // Who reads it by weights is left to the server behind the door.
    if (!readsBrotli(String(request.headers['accept-encoding']))) return;
    // A build that replaces this one may have taken it away.
    if (!existsSync(join(client, `${path}.br`))) return;
    request.url = `${path}.br`;
    response.setHeader('Content-Type', type);
    response.setHeader('Content-Encoding', 'br');
  };
}

/**
 * The server of files would look for the address of every page on the disk, twice. The function that comes back says of a
 * decoded path whether it is for that server.
 *
 * @param client The folder of the build that browsers see.
 */
export function findFiles(client: string) {
  const files = new Set(globSync('*', { cwd: client }).map((name) => `/${name}`));
  return (path: string): boolean => files.has(path.slice(0, `${path}/`.indexOf('/', 1)));
}
