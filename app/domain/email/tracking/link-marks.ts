import { isSigned, sign } from '#app/domain/platform/secrets.ts';

/** The mail that a link is in. app/http/telemetry/click-tracking.ts removes the parameters when the page is served. */
export type MailSource = { address: string; kind: string; createdAt: Date };

export const TRACKING_PARAMS = ['email', 'source', 'campaign', 'ts'];

const signedText = ({ address, kind, createdAt }: MailSource) =>
  ['link of a mail', address.toLowerCase(), kind, createdAt.getTime()].join('\n');

/** `ts` contains the mail's time and our signature, so that programs which keep the parameters keep the signature. */
export const trackingParams = (source: MailSource): Record<string, string> => ({
  email: source.address,
  source: 'email',
  campaign: source.kind,
  ts: `${source.createdAt.getTime()}.${sign(signedText(source))}`,
});

const TS = /^([1-9]\d{0,14})\.(\S{1,200})$/;

/** Undefined when we did not sign the parameters. */
export function readTrackingParams(params: {
  email: string;
  campaign: string;
  ts: string;
}): MailSource | undefined {
  const [, at, signature] = TS.exec(params.ts) ?? [];
  if (!at || !signature) return undefined;
  const source = { address: params.email, kind: params.campaign, createdAt: new Date(Number(at)) };
  return isSigned(signedText(source), signature) ? source : undefined;
}
