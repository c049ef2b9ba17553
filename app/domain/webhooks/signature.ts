import { createHmac } from 'node:crypto';

/**
 * The header by which a receiver knows that we sent this body: `t=<unix seconds>,v1=<hex>`, of HMAC-SHA256 over
 * "<t>.<body>" by each of the secrets.
 */
export function signatureOf(body: string, secrets: string[], now: Date): string {
  const t = Math.floor(now.getTime() / 1000);
  const macs = secrets.map((secret) => createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  return [`t=${t}`, ...macs.map((mac) => `v1=${mac}`)].join(',');
}
