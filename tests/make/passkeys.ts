import { createHash, createSign, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest();
const base64url = (data: Buffer) => data.toString('base64url');

/** The little of CBOR that an answer of an authenticator is made of. */
function cbor(value: number | string | Buffer | Map<number | string, unknown>): Buffer {
  const head = (major: number, length: number) => {
    if (length < 24) return Buffer.from([(major << 5) | length]);
    return length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
  };
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, each]) => [cbor(key), cbor(each as never)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

const FLAGS = { present: 1, verified: 4, hasKey: 64 };

type Said = { origin?: string; rpId?: string; isVerified?: boolean; counter?: number; userHandle?: string };

/** An authenticator with one passkey, as a browser at `origin` speaks for it; `said` makes it say something else. */
export class TestPasskey {
  readonly id = base64url(randomBytes(16));
  counter = 0;
  private readonly origin: string;
  private userHandle = '';
  private readonly keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  constructor(origin: string) {
    this.origin = origin;
  }

  private client(type: string, challenge: string, said: Said) {
    return Buffer.from(JSON.stringify({ type, challenge, origin: said.origin ?? this.origin }));
  }

  private data(flags: number, said: Said) {
    const { rpId = new URL(this.origin).hostname, isVerified = true, counter = this.counter } = said;
    const count = Buffer.alloc(4);
    count.writeUInt32BE(counter);
    const all = flags | FLAGS.present | (isVerified ? FLAGS.verified : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([all]), count]);
  }

  /** What it answers to who asks it to make the passkey. */
  make(options: { challenge: string; user: { id: string } }, said: Said = {}): RegistrationResponseJSON {
    this.userHandle = options.user.id;
    const { x, y } = (this.keys.publicKey as KeyObject).export({ format: 'jwk' });
    const key = cbor(
      new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, Buffer.from(x!, 'base64url')],
        [-3, Buffer.from(y!, 'base64url')],
      ]),
    );
    const id = Buffer.from(this.id, 'base64url');
    const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, key]);
    const authData = Buffer.concat([this.data(FLAGS.hasKey, said), credential]);
    const attestation = new Map<string, unknown>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authData],
    ]);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(this.client('webauthn.create', options.challenge, said)),
        attestationObject: base64url(cbor(attestation)),
        transports: ['internal'],
      },
    };
  }

  /** What it answers to who asks it to sign. */
  sign({ challenge }: { challenge: string }, said: Said = {}): AuthenticationResponseJSON {
    this.counter += 1;
    const client = this.client('webauthn.get', challenge, said);
    const data = this.data(0, said);
    const signature = createSign('sha256')
      .update(Buffer.concat([data, sha256(client)]))
      .sign(this.keys.privateKey);
    return {
      id: this.id,
      rawId: this.id,
      type: 'public-key',
      clientExtensionResults: {},
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: said.userHandle ?? this.userHandle,
      },
    };
  }
}
