import assert from 'node:assert/strict';
import path from 'node:path';
import { test } from 'node:test';
import { sources, textOf } from '#tests/project/architecture-imports.ts';

const product = sources.filter((file) => /^(?:app|worker)\/|^server\.ts$/.test(file));

/** What can open a connection to elsewhere. Types of an answer open none. */
const OPENS =
  /\bfetch\(|\bnew (?:WebSocket|EventSource|OpenAI)\b|(?:import (?!type)[^;]*from |\bimport\()'(?:undici|nodemailer|openai|node:(?:https|net|tls|dns|dgram|http2))'/;
/** In the browser a script asks its own server, by a path. */
const OWN_SERVER = /\bfetch\((?:'\/|`\/|`\$\{SIMILAR\}|url, \{ method: 'POST')/g;

const namesOf = (files: string[]) => files.map((file) => path.basename(file)).sort();

test('45 only the few files that speak to others open connections, each with a time and a size', () => {
  const speakers = namesOf(product.filter((file) => OPENS.test(textOf(file).replace(OWN_SERVER, ''))));
  assert.deepEqual(speakers, [
    'address-guard.ts',
    'attach-images.ts',
    'call.ts',
    // Of an address only whether it is one of IPv4.
    'client-ip.ts',
    'client.ts',
    'fetch-image.ts',
    'mail.ts',
    'post-webhook.ts',
  ]);
});

test('45 what people name is asked for behind the one guard of addresses, a picture and a webhook alike', () => {
  const guarded = product.filter((file) => textOf(file).includes('guardedConnector('));
  assert.deepEqual(namesOf(guarded), ['address-guard.ts', 'fetch-image.ts', 'post-webhook.ts']);
  for (const file of guarded.filter((each) => !each.endsWith('/address-guard.ts'))) {
    const agents = textOf(file).match(/new Agent\([^)]*\)/g)!;
    assert.ok(agents.length > 0 && agents.every((agent) => agent.includes('guardedConnector')), file);
  }
});

test('45 what every other call asks for is an address of the operator, and no redirect leads elsewhere', () => {
  const text = textOf(product.find((file) => /^app\/integrations\/(?:.+\/)?call\.ts$/.test(file))!);
  assert.doesNotMatch(text, /redirect\(|maxRedirections|interceptors/);
  const callers = product.filter((file) => /\bcallRemote\(/.test(textOf(file)));
  assert.ok(callers.length > 1);
  for (const file of callers)
    assert.match(file, /^app\/integrations\/(?:http\/call|google|linkedin\/[\w-]+)\.ts$/);
});
