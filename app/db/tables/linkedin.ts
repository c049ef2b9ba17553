import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type ConnectionStatus = 'alive' | 'expired';
export type ResumeChoice = 'slots' | 'latest' | 'discard' | 'none';

export type LinkedInTables = {
  linkedinConnections: {
    userId: string;
    memberId: string;
    name: string;
    email: Nullable<string>;
    picture: Nullable<string>;
    scopes: string[];
    accessTokenSealed: string;
    refreshTokenSealed: Nullable<string>;
    expiresAt: Date;
    /** Null when LinkedIn has not stated it. */
    refreshExpiresAt: Nullable<Date>;
    connectedAt: CreatedAt;
    status: Generated<ConnectionStatus>;
    /** When it was created without a valid previous connection. */
    resumedAt: Nullable<Date>;
    /** What the user chose for missed posts; null until they choose. */
    resumeChoice: Nullable<ResumeChoice>;
  };
  pendingLinkedinConnections: {
    id: Generated<string>;
    userId: string;
    memberId: string;
    name: string;
    email: Nullable<string>;
    picture: Nullable<string>;
    scopes: string[];
    accessTokenSealed: string;
    refreshTokenSealed: Nullable<string>;
    expiresAt: Date;
    refreshExpiresAt: Nullable<Date>;
    offeredUntil: Date;
  };
  linkedinDays: {
    /** YYYY-MM-DD in UTC. */
    day: string;
    resource: 'posts' | 'other';
    calls: Generated<number>;
    limitAt: Nullable<number>;
  };
};
