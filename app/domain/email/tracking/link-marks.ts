import { isSigned, sign } from '#app/domain/platform/secrets.ts';

/** What a link of a mail says beside where it leads: app/http/telemetry/click-tracking.ts takes it off again as the page is served. */
export type Mailed = { address: string; kind: string; createdAt: Date };

/** The parameters that bear it, all of which are taken off the address. */
export const LINK_MARKS = ['email', 'source', 'campaign', 'ts'];

const wordsOf = ({ address, kind, createdAt }: Mailed) =>
  ['link of a mail', address.toLowerCase(), kind, createdAt.getTime()].join('\n');

/** The time of the mail, and behind it our signature: a program that hands on the marks as they are says that, too. */
export const marksOf = (mailed: Mailed): Record<string, string> => ({
  email: mailed.address,
  source: 'email',
  campaign: mailed.kind,
  ts: `${mailed.createdAt.getTime()}.${sign(wordsOf(mailed))}`,
});

/** A time in milliseconds, and a signature. */
const TS = /^([1-9]\d{0,14})\.(\S{1,200})$/;

/** Of which mail such marks are; undefined when we did not write them. */
export function readMarks(said: { email: string; campaign: string; ts: string }): Mailed | undefined {
  const [, at, signature] = TS.exec(said.ts) ?? [];
  if (!at || !signature) return undefined;
  const mailed = { address: said.email, kind: said.campaign, createdAt: new Date(Number(at)) };
  return isSigned(wordsOf(mailed), signature) ? mailed : undefined;
}
