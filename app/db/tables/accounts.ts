import type { ColumnType, Generated } from 'kysely';

/** A timestamp with a default in the database. */
export type CreatedAt = Generated<Date>;
export type Nullable<T> = Generated<T | null>;

type OneTimeCode = {
  codeHash: Nullable<string>;
  codeExpiresAt: Nullable<Date>;
  attempts: Generated<number>;
};

export type Provider = 'google' | 'linkedin';
export type OauthIntent = 'sign-in' | 'link' | 'connect';

export type Role = 'user' | 'admin';

export type AccountTables = {
  users: {
    id: Generated<string>;
    email: string;
    name: string;
    passwordHash: Nullable<string>;
    role: Generated<Role>;
    timeZone: Generated<string>;
    headline: Generated<string>;
    voiceNotes: Generated<string>;
    verifiedAt: CreatedAt;
    /** The last sign-in with a browser. */
    signedInAt: Nullable<Date>;
    /** Allows their newest post on the start page; null does not. */
    showsPostsSince: Nullable<Date>;
    /** Whether a payment is active; maintained by triggers. */
    hasPlan: Generated<boolean>;
    createdAt: CreatedAt;
  };
  signUps: OneTimeCode & {
    id: Generated<string>;
    email: string;
    name: string;
    passwordHash: string;
    timeZone: string;
    linkHash: Nullable<string>;
    createdAt: CreatedAt;
  };
  passwordResets: OneTimeCode & {
    id: Generated<string>;
    email: string;
    userId: Nullable<string>;
    createdAt: CreatedAt;
  };
  reauthAttempts: OneTimeCode & {
    userId: string;
    wrongPasswords: Generated<number>;
    countedFrom: Date;
  };
  /** At most one for each user. */
  emailChanges: OneTimeCode & {
    userId: string;
    sessionId: string;
    newEmail: string;
    createdAt: Date;
  };
  /** `isKnown`: by a browser that has signed in to the account before. */
  codeRequests: { email: string; requestedAt: CreatedAt; isKnown: Generated<boolean> };
  sessions: {
    id: Generated<string>;
    userId: string;
    kind: 'web' | 'api';
    tokenHash: string;
    device: Generated<string>;
    /** The network at its creation. */
    ipPrefix: Generated<string>;
    scope: ColumnType<'read' | 'write', 'read' | 'write' | undefined>;
    name: Nullable<string>;
    createdAt: CreatedAt;
    lastSeenAt: CreatedAt;
    reauthenticatedAt: Nullable<Date>;
    expiresAt: Nullable<Date>;
  };
  accountDeletions: {
    userId: string;
    id: Generated<string>;
    requestedAt: Date;
    eraseAt: Date;
    erasingAt: Nullable<Date>;
    retryAt: Nullable<Date>;
  };
  disabledAccounts: { userId: string; disabledAt: Date; reason: string };
  identities: {
    provider: Provider;
    subject: string;
    userId: string;
    email: Nullable<string>;
    /** As the provider stated when it was linked. */
    isEmailVerified: Generated<boolean>;
    linkedAt: CreatedAt;
    declinedAt: Nullable<Date>;
  };
  pendingIdentities: {
    id: Generated<string>;
    provider: Provider;
    subject: string;
    email: string;
    userId: string;
    expiresAt: Date;
  };
  exchangeCodes: { codeHash: string; userId: string; browserHash: string; expiresAt: Date };
  oauthStates: {
    stateHash: string;
    provider: Provider;
    intent: OauthIntent;
    userId: Nullable<string>;
    sessionId: Nullable<string>;
    target: Nullable<string>;
    timeZone: Nullable<string>;
    expiresAt: Date;
    usedAt: Nullable<Date>;
  };
  /** `expire`: milliseconds since 1970, a bigint. */
  rateLimits: { key: string; points: Generated<number>; expire: Nullable<string> };
};
