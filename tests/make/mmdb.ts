/** A field of an MMDB file: a text, a number, or a map. */
type Value = string | number | { [name: string]: Value };

/** A control byte with the type (2 text, 6 number, 7 map) and how long it is, up to 284. */
function control(type: number, size: number): Buffer {
  return size < 29 ? Buffer.from([(type << 5) | size]) : Buffer.from([(type << 5) | 29, size - 29]);
}

function encode(value: Value): Buffer {
  if (typeof value === 'string') {
    const text = Buffer.from(value);
    return Buffer.concat([control(2, text.length), text]);
  }
  if (typeof value === 'number') {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return Buffer.concat([control(6, 4), bytes]);
  }
  const entries = Object.entries(value);
  return Buffer.concat([control(7, entries.length), ...entries.flat().map(encode)]);
}

/**
 * An MMDB file that knows one IPv4 network of /24 and says this of it, as its specification has it
 * (a tree of bits, 16 zero bytes, the data, the metadata behind their mark).
 */
export function oneNetwork(network: string, said: Value): Buffer {
  const bits = network
    .split('.')
    .slice(0, 3)
    .map((part) => Number(part).toString(2).padStart(8, '0'))
    .join('');
  const count = bits.length;
  const tree = Buffer.alloc(count * 6);
  for (const [node, bit] of [...bits].entries()) {
    const next = node + 1 < count ? node + 1 : count + 16;
    tree.writeUIntBE(bit === '0' ? next : count, node * 6, 3);
    tree.writeUIntBE(bit === '0' ? count : next, node * 6 + 3, 3);
  }
  const metadata = encode({
    node_count: count,
    record_size: 24,
    ip_version: 4,
    database_type: 'Test',
    build_epoch: 1_780_000_000,
    binary_format_major_version: 2,
    binary_format_minor_version: 0,
  });
  const mark = Buffer.from('\xab\xcd\xefMaxMind.com', 'latin1');
  return Buffer.concat([tree, Buffer.alloc(16), encode(said), mark, metadata]);
}
