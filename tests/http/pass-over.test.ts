import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { passOverFiles } from '#app/http/packed-assets.ts';

const client = mkdtempSync(path.join(tmpdir(), 'tidepost-files-'));
after(() => rmSync(client, { recursive: true }));
mkdirSync(path.join(client, 'assets'));
writeFileSync(path.join(client, 'robots.txt'), '');

const handedOn = (url: string) => {
  const request = { url } as IncomingMessage & { originalUrl?: string };
  passOverFiles(client)(request, decodeURIComponent(url.split('?')[0]!));
  return { url: request.url, originalUrl: request.originalUrl };
};

test('the server of files does not see the address of a page, and what answers pages does', () => {
  for (const url of ['/', '/app/posts?status=failed', '/assetsofmine', '//assets/x.js', '/robots.txt.data']) {
    assert.deepEqual(handedOn(url), { url: '/.page', originalUrl: url });
  }
});

test('a file of the build keeps its address', () => {
  for (const url of [
    '/assets',
    '/assets/app.js?x',
    '/assets/no-more.js',
    '/robots.txt',
    '/%61ssets/app.js',
  ]) {
    assert.deepEqual(handedOn(url), { url, originalUrl: undefined });
  }
});
