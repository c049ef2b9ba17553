import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { findFiles } from '#app/http/packed-assets.ts';

const client = mkdtempSync(path.join(tmpdir(), 'tidepost-files-'));
after(() => rmSync(client, { recursive: true }));
mkdirSync(path.join(client, 'assets'));
writeFileSync(path.join(client, 'robots.txt'), '');

const isFile = (url: string) => findFiles(client)(decodeURIComponent(url.split('?')[0]!));

test('the server of files does not see the address of a page', () => {
  for (const url of ['/', '/app/posts?status=failed', '/assetsofmine', '//assets/x.js', '/robots.txt.data']) {
    assert.equal(isFile(url), false, url);
  }
});

test('a file of the build is for the server of files, there or not', () => {
  for (const url of [
    '/assets',
    '/assets/app.js?x',
    '/assets/no-more.js',
    '/robots.txt',
    '/%61ssets/app.js',
  ]) {
    assert.equal(isFile(url), true, url);
  }
});
