import assert from 'node:assert/strict';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { addressRules, isPublicAddress } from '#app/integrations/http/address-guard.ts';
import { fetchImage, type ImageRules } from '#app/integrations/http/fetch-image.ts';

const PNG = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');
const closers: (() => void)[] = [];
after(() => {
  for (const close of closers) close();
});

/** A web server on an address of this machine, and how often it was dialled. */
async function serve(listener: RequestListener, host = '127.0.0.1') {
  const seen = { connections: 0 };
  const server = createServer(listener).on('connection', () => {
    seen.connections += 1;
  });
  await new Promise<void>((ready) => server.listen(0, host, ready));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://${host}:${(server.address() as AddressInfo).port}`, seen };
}

/** 127.0.0.1 stands for the public internet, every other address for what must not be reached. */
const rules: ImageRules = {
  ...addressRules(),
  allowsAnyPort: true,
  isAllowed: (address) => address === '127.0.0.1',
};
/** Without a cause: it was refused here, and not by a connection that failed. */
const refuses = (url: string, message: RegExp, given = rules) =>
  assert.rejects(fetchImage(url, given), (error: Error) => {
    assert.equal(error.name, 'ImageRefused');
    assert.match(error.message, message);
    assert.equal(error.cause, undefined, url);
    return true;
  });

const NOT_PUBLIC = [
  '127.0.0.1',
  '127.255.255.254',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '0.0.0.0',
  '100.64.0.1',
  '192.0.0.1',
  '192.0.2.1',
  '198.18.0.1',
  '198.51.100.1',
  '203.0.113.1',
  '224.0.0.1',
  '240.0.0.1',
  '255.255.255.255',
  '::',
  '::1',
  '::ffff:127.0.0.1',
  '::ffff:7f00:1',
  '::127.0.0.1',
  '64:ff9b::7f00:1',
  '64:ff9b:1::7f00:1',
  '2002:7f00:1::',
  '2001::1',
  '2001:db8::1',
  'fc00::1',
  'fd00::1',
  'fe80::1',
  'fec0::1',
  'ff02::1',
  '100::1',
  '',
  'localhost',
];

test('only addresses of the public internet are public', () => {
  for (const address of NOT_PUBLIC) assert.equal(isPublicAddress(address), false, address);
  for (const address of ['1.1.1.1', '93.184.215.14', '2606:4700::1111', '::ffff:8.8.8.8']) {
    assert.equal(isPublicAddress(address), true, address);
  }
});

test('a private address is refused in every notation', async () => {
  const forms = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0177.0.0.1',
    '１２７.0.0.1',
    '127.0.0.1.',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[fe80::1]',
    '169.254.169.254',
    '2852039166',
    '10.0.0.1',
    '192.168.0.1',
    '0',
    '0.0.0.0',
    'localhost',
  ];
  for (const host of forms) await refuses(`https://${host}/x.png`, /could not be loaded/, addressRules());
});

test('only https on its own port and without a password is fetched', async () => {
  for (const url of [
    'http://1.1.1.1/x.png',
    'https://1.1.1.1:8443/x.png',
    'ftp://1.1.1.1/x',
    'file:///etc/passwd',
  ]) {
    await refuses(url, /must start with https/, addressRules());
  }
  await refuses('https://user:secret@1.1.1.1/x.png', /name or password/, addressRules());
  await refuses('not an address', /not the address of a picture/, addressRules());
});

test('a picture is known by its first bytes, whatever it is called', async () => {
  const { url } = await serve((req, res) => {
    const bodies: Record<string, Buffer> = {
      '/a.html': PNG,
      '/b.png': Buffer.from([0xff, 0xd8, 0xff, 0xe0]),
      '/c': Buffer.from('GIF89a..'),
      '/page.jpg': Buffer.from('<!doctype html><title>x</title>'),
      '/x.svg': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'),
      '/x.webp': Buffer.from('RIFF....WEBP'),
      '/empty.png': Buffer.alloc(0),
    };
    res.setHeader('Content-Type', 'image/jpeg').end(bodies[req.url!]);
  });
  assert.deepEqual(await fetchImage(`${url}/a.html`, rules), { bytes: PNG, contentType: 'image/png' });
  assert.equal((await fetchImage(`${url}/b.png`, rules)).contentType, 'image/jpeg');
  assert.equal((await fetchImage(`${url}/c`, rules)).contentType, 'image/gif');
  for (const name of ['page.jpg', 'x.svg', 'x.webp', 'empty.png']) {
    await refuses(`${url}/${name}`, /not a JPEG, PNG or GIF/);
  }
});

test('a redirect to a private address is not followed', async () => {
  const inside = await serve((_, res) => res.end(PNG), '127.0.0.2');
  const port = new URL(inside.url).port;
  let target = '';
  const outside = await serve((_, res) => res.writeHead(302, { Location: target }).end());
  for (target of [
    inside.url,
    `http://127.2:${port}/`,
    `//127.0.0.2:${port}/`,
    `http://2130706434:${port}/`,
  ]) {
    await refuses(`${outside.url}/x.png`, /could not be loaded/);
  }
  target = 'file:///etc/passwd';
  await refuses(`${outside.url}/x.png`, /must start with https/);
  assert.equal(inside.seen.connections, 0);
});

test('a name that resolves to a private address is not dialled', async () => {
  const inside = await serve((_, res) => res.end(PNG), '127.0.0.2');
  const url = `http://pictures.example:${new URL(inside.url).port}/x.png`;
  const both = ['127.0.0.1', '127.0.0.2'].map((address) => ({ address, family: 4 }));
  await refuses(url, /could not be loaded/, { ...rules, lookup: (_, done) => done(null, both) });
  await refuses(url, /could not be loaded/, { ...rules, lookup: (_, done) => done(null, both.slice(1)) });
  assert.equal(inside.seen.connections, 0);
});

test('the address that was dialled is checked, not only the one that was looked up', async () => {
  let requests = 0;
  const inside = await serve((_, res) => {
    requests += 1;
    res.end(PNG);
  }, '127.0.0.2');
  let asked = 0;
  // What is allowed at the lookup and not any more after the connection stands.
  const isAllowed = () => asked++ === 0;
  const lookup: ImageRules['lookup'] = (_, done) => done(null, [{ address: '127.0.0.2', family: 4 }]);
  const url = `http://pictures.example:${new URL(inside.url).port}/x.png`;
  await refuses(url, /could not be loaded/, { ...rules, isAllowed, lookup });
  assert.equal(requests, 0);
});

test('a name that is another address at its second look-up is not followed there', async () => {
  const inside = await serve((_, res) => res.end(PNG), '127.0.0.2');
  const port = new URL(inside.url).port;
  const outside = await serve((_, res) =>
    res.writeHead(302, { Location: `http://pictures.example:${port}/x.png` }).end(),
  );
  const given: string[] = [];
  const lookup: ImageRules['lookup'] = (_, done) => {
    given.push(given.length === 0 ? '127.0.0.1' : '127.0.0.2');
    done(null, [{ address: given.at(-1)!, family: 4 }]);
  };
  const url = `http://pictures.example:${new URL(outside.url).port}/x.png`;
  await refuses(url, /could not be loaded/, { ...rules, lookup });
  assert.deepEqual(given, ['127.0.0.1', '127.0.0.2']);
  assert.equal(inside.seen.connections, 0);
});

test('three redirects are followed, a fourth is not', async () => {
  const { url } = await serve((req, res) => {
    const left = Number(req.url!.slice(1));
    if (left === 0) res.end(PNG);
    else res.writeHead(301, { Location: `/${left - 1}` }).end('moved');
  });
  assert.equal((await fetchImage(`${url}/3`, rules)).contentType, 'image/png');
  await refuses(`${url}/4`, /redirected too often/);
});

test('a picture over 8 MB is refused, announced or not', async () => {
  const block = Buffer.alloc(1024 * 1024, PNG);
  let sent = 0;
  const { url } = await serve((req, res) => {
    if (req.url === '/announced') res.setHeader('Content-Length', 9 * block.length);
    const send = () => {
      sent += 1;
      if (!res.destroyed) res.write(block, () => setImmediate(send));
    };
    send();
  });
  await refuses(`${url}/announced`, /larger than 8 MB/);
  sent = 0;
  await refuses(`${url}/endless`, /larger than 8 MB/);
  assert.ok(sent < 30, `${sent} MB were taken`);
});

test('a server that dawdles is given up when the time is over', async () => {
  const { url } = await serve((req, res) => {
    if (req.url === '/body') res.write(PNG);
  });
  for (const path of ['/head', '/body']) await refuses(url + path, /too long/, { ...rules, timeoutMs: 150 });
});

test('an error page is refused with its status', async () => {
  const { url } = await serve((_, res) => res.writeHead(404).end('no'));
  await refuses(url, /it answers 404/);
});
