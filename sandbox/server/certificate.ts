import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

const YEAR_MS = 365 * 86_400_000;
/** Object identifiers (DER) of the signature algorithms, with SHA-256. */
const SIGNATURE_ALGORITHMS: Record<string, string> = {
  ec: '06082a8648ce3d040302',
  rsa: '06092a864886f70d01010b0500',
};
const COMMON_NAME = '0603550403';
const SUBJECT_ALT_NAME = '0603551d11';

/** A DER element: tag, length, contents. */
function der(tag: number, ...parts: (Buffer | string)[]): Buffer {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'hex') : part)),
  );
  const longForm = body.length < 256 ? [0x81] : [0x82, body.length >> 8];
  const length = body.length < 128 ? [body.length] : [...longForm, body.length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
}

const sequence = (...parts: (Buffer | string)[]) => der(0x30, ...parts);
const bits = (bytes: Buffer) => der(0x03, '00', bytes);

/** YYMMDDHHMMSSZ */
const utcTime = (at: number) =>
  der(0x17, Buffer.from(`${new Date(at).toISOString().slice(2, 19).replace(/\D/g, '')}Z`, 'latin1'));

const newPair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** A self-signed certificate for localhost and 127.0.0.1 (RFC 5280), by default with a new key. */
export function selfSigned(
  now = Date.now(),
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject } = newPair(),
): { key: string; cert: string } {
  const algorithm = sequence(SIGNATURE_ALGORITHMS[privateKey.asymmetricKeyType ?? ''] ?? '');
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, Buffer.from('Tidepost sandbox')))));
  const names = sequence(der(0x82, Buffer.from('localhost')), der(0x87, '7f000001'));
  const extension = sequence(SUBJECT_ALT_NAME, der(0x04, names));
  const body = sequence(
    der(0xa0, der(0x02, '02')),
    der(0x02, '01', randomBytes(8)),
    algorithm,
    name,
    sequence(utcTime(now - YEAR_MS), utcTime(now + YEAR_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(extension)),
  );
  const signed = sequence(body, algorithm, bits(sign('sha256', body, privateKey)));
  const lines = signed.toString('base64').match(/.{1,64}/g) ?? [];
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
  };
}
