import type { ColumnType, Generated } from 'kysely';

/** A timestamp the database fills in when it is left out. */
export type CreatedAt = ColumnType<Date, Date | undefined, Date>;
export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

export type Provider = 'google' | 'linkedin';
export type OauthIntent = 'sign-in' | 'link' | 'connect';

export type Role = 'user' | 'admin';

/** Who people are, and what is counted about them. */
export type AccountTables = {
  users: {
    id: Generated<string>;
    email: string;
    name: string;
    passwordHash: Nullable<string>;
    role: ColumnType<Role, Role | undefined, Role>;
    timeZone: ColumnType<string, string | undefined, string>;
    headline: Generated<string>;
    voiceNotes: Generated<string>;
    verifiedAt: CreatedAt;
    /** A browser, for the last time. */
    signedInAt: Nullable<Date>;
    /** Lets the start page show their newest post; null is not at all. */
    showsPostsSince: Nullable<Date>;
    /** A payment of theirs is active; triggers keep it. */
    hasPlan: Generated<boolean>;
    createdAt: CreatedAt;
  };
  signUps: {
    id: Generated<string>;
    email: string;
    name: string;
    passwordHash: string;
    timeZone: string;
    codeHash: Nullable<string>;
    codeExpiresAt: Nullable<Date>;
    linkHash: Nullable<string>;
    attempts: Generated<number>;
    createdAt: CreatedAt;
  };
  passwordResets: {
    id: Generated<string>;
    email: string;
    userId: Nullable<string>;
    codeHash: Nullable<string>;
    codeExpiresAt: Nullable<Date>;
    attempts: Generated<number>;
    createdAt: CreatedAt;
  };
  reauthAttempts: {
    userId: string;
    wrongPasswords: Generated<number>;
    countedFrom: Date;
    codeHash: Nullable<string>;
    codeExpiresAt: Nullable<Date>;
    attempts: Generated<number>;
  };
  /** One of a user at a time. */
  emailChanges: {
    userId: string;
    sessionId: string;
    newEmail: string;
    codeHash: Nullable<string>;
    codeExpiresAt: Nullable<Date>;
    attempts: Generated<number>;
    createdAt: Date;
  };
  /** `isKnown`: by somebody who has signed in to the account before. */
  codeRequests: { email: string; requestedAt: CreatedAt; isKnown: Generated<boolean> };
  sessions: {
    id: Generated<string>;
    userId: string;
    kind: 'web' | 'api';
    tokenHash: string;
    device: Generated<string>;
    /** The network that it was made from. */
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
  /** Stopped by an admin. */
  disabledAccounts: { userId: string; disabledAt: Date; reason: string };
  identities: {
    provider: Provider;
    subject: string;
    userId: string;
    email: Nullable<string>;
    /** The provider said so when it was linked. */
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
  /** `expire` is a bigint: milliseconds since 1970. */
  rateLimits: { key: string; points: Generated<number>; expire: Nullable<string> };
};
