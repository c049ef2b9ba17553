import { createHash } from 'node:crypto';
import type { Provider } from '#sandbox/google/id-token-faults.ts';
import { type LinkedInApp, registeredApps } from '#sandbox/linkedin/apps.ts';
import { createQuota, type Quota } from '#sandbox/linkedin/quota.ts';
import type { FaultKind } from '#sandbox/server/fault-kinds.ts';
import type { ActiveFault } from '#sandbox/server/faults.ts';
import { createWriterMemory, type WriterMemory } from '#sandbox/writer/memory.ts';

/** A member as one application sees it: the subject differs for each. */
export type Member = { sub: string; email: string; name: string; headline: string };

/** What arrived at POST /rest/posts, whatever was answered. `status` is null when nothing was answered. */
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
  /** The x-li-uuid and x-li-request-id of the answer, whether it was heard or not. */
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
  /** The post a reshare is about. */
  parent: string | null;
  at: string;
  editedAt: string | null;
};

export type Image = {
  urn: string;
  owner: string;
  /** The one token that may come with the bytes. */
  token: string;
  expiresAt: number;
  bytes: Buffer | null;
  type: string | null;
  /** Why it can't be shown; null when it can. */
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

/** What somebody granted at Google; access and refresh tokens that come of it die together. */
export type GoogleGrant = Grant & {
  id: string;
  isVerified: boolean;
  /** The domain of the organisation the account belongs to. */
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
  /** Who has consented to what at Google, as "client subject". */
  googleConsents: Set<string>;
  /** The id token that each provider issued last. */
  lastIdTokens: Partial<Record<Provider, string>>;
  /**
   * Per member and client: the scope set asked for last and since when; older tokens with another set are dead.
   * `grantedAt` is 0 when the member has taken it back.
   */
  consents: Map<string, { scope: string; since: number; grantedAt: number }>;
  revokedTokens: Set<string>;
  /** Per subject or e-mail address: tokens issued up to this instant (epoch ms) are revoked. */
  revokedMembers: Map<string, number>;
  attempts: Attempt[];
  posts: Map<string, Post>;
  /** Every accepted text of each member, deleted ones included: duplicates are judged by it. */
  accepted: Map<string, { text: string; urn: string; at: number }[]>;
  deleted: Map<string, string>;
  images: Map<string, Image>;
  mails: Mail[];
  faults: ActiveFault[];
  /** How often each kind of fault has struck. */
  struck: Partial<Record<FaultKind, number>>;
  /** How often somebody has followed the redirect of a fault. */
  followed: number;
  faultCounter: number;
  /** How long LinkedIn takes: half of the calls at most `ms`, 99 of 100 at most `p99Ms`. */
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

/** Now in epoch milliseconds, never the same twice: what was issued before a revocation is told from what came after. */
export function instant(state: State): number {
  state.lastInstant = Math.max(Date.now(), state.lastInstant + 1);
  return state.lastInstant;
}

/**
 * The member of an e-mail address as an application sees it. The subject depends on these two alone, so it
 * outlives a restart, and no application can recognise another one's members by it.
 */
export function memberOf(
  state: State,
  person: { email: string; name: string; headline?: string },
  clientId: string,
): Member {
  const email = person.email.trim().toLowerCase();
  const hash = createHash('sha256').update(`linkedin:${clientId}:${email}`);
  const sub = hash.digest('base64url').slice(0, 10);
  const known = state.members.get(sub) ?? DEMO_MEMBERS.find((demo) => demo.email === email);
  const name = person.name.trim() || known?.name || email;
  const headline = person.headline || known?.headline || 'Member of the sandbox network';
  const member = { sub, email, name, headline };
  state.members.set(sub, member);
  return member;
}
