import { createHash } from 'node:crypto';
import type { Provider } from '#sandbox/google/id-token-faults.ts';
import { type LinkedInApp, registeredApps } from '#sandbox/linkedin/apps.ts';
import { createQuota, type Quota } from '#sandbox/linkedin/quota.ts';
import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import type { ActiveFault } from '#sandbox/server/faults.ts';
import { createWriterMemory, type WriterMemory } from '#sandbox/writer/memory.ts';

/** A member for one application: `sub` differs for each application. */
export type Member = { sub: string; email: string; name: string; headline: string };

/** A request to POST /rest/posts. `status` is null when no response was sent. */
export type Attempt = {
  at: string;
  author: string | null;
  text: string | null;
  commentary: string | null;
  status: number | null;
  urn: string | null;
  fault: string | null;
  violation: string | null;
  version: string | null;
  imageUrn: string | null;
  /** The x-li-uuid and x-li-request-id of the response, even when that was not sent. */
  uuid: string;
  requestId: string;
};

export type Post = {
  urn: string;
  sub: string;
  author: string;
  name: string;
  headline: string;
  text: string;
  commentary: string;
  violation: string | null;
  imageUrn: string | null;
  altText: string | null;
  visibility: string;
  /** The urn of the reshared post. */
  parent: string | null;
  at: string;
  editedAt: string | null;
};

export type Image = {
  urn: string;
  owner: string;
  /** The only token that an upload may use. */
  token: string;
  expiresAt: number;
  bytes: Buffer | null;
  type: string | null;
  /** The reason why processing failed, or null. */
  problem: string | null;
  at: string;
};

export type Mail = {
  id: string;
  to: string[];
  from: string;
  subject: string;
  text: string;
  html: string;
  at: string;
  messageId: string;
  headers: Record<string, string>;
};

type Grant = {
  clientId: string;
  redirectUri: string;
  member: Member;
  scopes: string[];
  expiresAt: number;
  nonce: string | null;
  challenge: { value: string; method: string } | null;
};

/** A user's grant at Google; its access and refresh tokens are revoked together. */
export type GoogleGrant = Grant & {
  id: string;
  isVerified: boolean;
  /** The domain of the account's organisation. */
  organisation: string | null;
  isOffline: boolean;
  isUsed: boolean;
};

export type GoogleToken = { grant: GoogleGrant; kind: 'access' | 'refresh'; expiresAt: number };

export type State = {
  members: Map<string, Member>;
  apps: Map<string, LinkedInApp>;
  quota: Quota;
  codes: Map<string, Grant>;
  googleCodes: Map<string, GoogleGrant>;
  googleTokens: Map<string, GoogleToken>;
  /** Consents at Google, each as "client subject". */
  googleConsents: Set<string>;
  /** The latest id token of each provider. */
  lastIdTokens: Partial<Record<Provider, string>>;
  /**
   * By member and client: the latest scopes and the time since which they apply; older tokens with other scopes are
   * invalid. `grantedAt` is 0 when the member has revoked the consent.
   */
  consents: Map<string, { scope: string; since: number; grantedAt: number }>;
  revokedTokens: Set<string>;
  /** By subject or e-mail address: tokens issued up to this time (epoch ms) are revoked. */
  revokedMembers: Map<string, number>;
  attempts: Attempt[];
  posts: Map<string, Post>;
  /** The texts of each member for the check of duplicates, including deleted posts. */
  accepted: Map<string, { text: string; urn: string; at: number }[]>;
  deleted: Map<string, string>;
  images: Map<string, Image>;
  mails: Mail[];
  faults: ActiveFault[];
  /** How often each kind of fault has applied. */
  struck: Partial<Record<FaultKind, number>>;
  /** How often a client has followed the redirect of a fault. */
  followed: number;
  faultCounter: number;
  /** LinkedIn's latency: `ms` is the median. */
  latency: { ms: number; p99Ms: number };
  postCounter: number;
  writerCounter: number;
  writer: WriterMemory;
  tokenCounter: number;
  lastInstant: number;
};

export const DEMO_MEMBERS: Omit<Member, 'sub'>[] = [
  { name: 'Maya Lindqvist', email: 'maya@demo.example', headline: 'Operations lead for growing teams' },
  { name: 'Daniel Okafor', email: 'daniel@demo.example', headline: 'Founder and product consultant' },
  { name: 'Priya Raman', email: 'priya@demo.example', headline: 'Head of people and culture' },
];

export function createState(): State {
  return {
    members: new Map(),
    apps: registeredApps(),
    quota: createQuota(),
    codes: new Map(),
    googleCodes: new Map(),
    googleTokens: new Map(),
    googleConsents: new Set(),
    lastIdTokens: {},
    consents: new Map(),
    revokedTokens: new Set(),
    revokedMembers: new Map(),
    attempts: [],
    posts: new Map(),
    accepted: new Map(),
    deleted: new Map(),
    images: new Map(),
    mails: [],
    faults: [],
    struck: {},
    followed: 0,
    faultCounter: 0,
    latency: { ms: 0, p99Ms: 0 },
    postCounter: 0,
    writerCounter: 0,
    writer: createWriterMemory(),
    tokenCounter: 0,
    lastInstant: 0,
  };
}

/** The time in epoch milliseconds, increasing with each call, so that tokens issued before and after a revocation differ. */
export function uniqueNow(state: State): number {
  state.lastInstant = Math.max(Date.now(), state.lastInstant + 1);
  return state.lastInstant;
}

/**
 * Returns the member with this e-mail address for an application. The subject is a hash of both, so it is the same after a
 * restart, and differs for each application.
 */
export function memberOf(
  state: State,
  account: { email: string; name: string; headline?: string },
  clientId: string,
): Member {
  const email = account.email.trim().toLowerCase();
  const hash = createHash('sha256').update(`linkedin:${clientId}:${email}`);
  const sub = hash.digest('base64url').slice(0, 10);
  const existing = state.members.get(sub) ?? DEMO_MEMBERS.find((demo) => demo.email === email);
  const name = account.name.trim() || existing?.name || email;
  const headline = account.headline || existing?.headline || 'Member of the sandbox network';
  const member = { sub, email, name, headline };
  state.members.set(sub, member);
  return member;
}
