import { createHash } from 'node:crypto';
import type { ActiveFault } from './faults.ts';
import { createWriterMemory, type WriterMemory } from './writer.ts';

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
  at: string;
  editedAt: string | null;
};

export type Image = {
  urn: string;
  owner: string;
  expiresAt: number;
  bytes: Buffer | null;
  type: string | null;
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

export type Grant = {
  clientId: string;
  redirectUri: string;
  member: Member;
  scopes: string[];
  expiresAt: number;
  nonce: string | null;
  challenge: { value: string; method: string } | null;
  /** Google only: what the id token says of the e-mail address. */
  isVerified?: boolean;
};

export type State = {
  members: Map<string, Member>;
  codes: Map<string, Grant>;
  googleCodes: Map<string, Grant>;
  googleTokens: Map<string, Grant>;
  /** Per member and client: the scope set asked for last and since when. Older tokens with another set are dead. */
  consents: Map<string, { scope: string; since: number }>;
  revokedTokens: Set<string>;
  /** Per member: tokens issued up to this instant (epoch ms) are revoked. */
  revokedMembers: Map<string, number>;
  attempts: Attempt[];
  posts: Map<string, Post>;
  /** Every accepted text, deleted ones included: duplicates are judged by it. */
  accepted: { sub: string; text: string; urn: string; at: number }[];
  deleted: Map<string, string>;
  images: Map<string, Image>;
  mails: Mail[];
  faults: ActiveFault[];
  faultCounter: number;
  latencyMs: number;
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
    codes: new Map(),
    googleCodes: new Map(),
    googleTokens: new Map(),
    consents: new Map(),
    revokedTokens: new Set(),
    revokedMembers: new Map(),
    attempts: [],
    posts: new Map(),
    accepted: [],
    deleted: new Map(),
    images: new Map(),
    mails: [],
    faults: [],
    faultCounter: 0,
    latencyMs: 0,
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

/** The member of an e-mail address. The subject depends on the address alone, so it outlives a restart. */
export function memberOf(state: State, person: { email: string; name: string; headline?: string }): Member {
  const email = person.email.trim().toLowerCase();
  const sub = createHash('sha256').update(`linkedin:${email}`).digest('base64url').slice(0, 10);
  const known = state.members.get(sub) ?? DEMO_MEMBERS.find((demo) => demo.email === email);
  const name = person.name.trim() || known?.name || email;
  const headline = person.headline || known?.headline || 'Member of the sandbox network';
  const member = { sub, email, name, headline };
  state.members.set(sub, member);
  return member;
}
