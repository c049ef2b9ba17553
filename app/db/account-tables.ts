import type { ColumnType, Generated } from 'kysely';

/** A timestamp the database fills in when it is left out. */
export type CreatedAt = ColumnType<Date, Date | undefined, Date>;
export type Nullable<T> = ColumnType<T | null, T | null | undefined, T | null>;

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
    tries: Generated<number>;
    createdAt: CreatedAt;
  };
  passwordResets: {
    id: Generated<string>;
    email: string;
    userId: Nullable<string>;
    codeHash: Nullable<string>;
    codeExpiresAt: Nullable<Date>;
    tries: Generated<number>;
    createdAt: CreatedAt;
  };
  codeRequests: { email: string; askedAt: CreatedAt };
  sessions: {
    id: Generated<string>;
    userId: string;
    kind: 'web' | 'api';
    tokenHash: string;
    userAgent: Generated<string>;
    createdAt: CreatedAt;
    lastSeenAt: CreatedAt;
    expiresAt: Date;
  };
  /** `expire` is a bigint: milliseconds since 1970. */
  rateLimits: { key: string; points: Generated<number>; expire: Nullable<string> };
};
