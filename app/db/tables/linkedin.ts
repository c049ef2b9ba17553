import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type ConnectionStatus = 'alive' | 'expired';
export type ResumeChoice = 'slots' | 'latest' | 'discard' | 'none';

/** Who is connected to LinkedIn, and who has been asked whether to be. */
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
    /** When the refresh token ends; null when LinkedIn has not said so. */
    refreshExpiresAt: Nullable<Date>;
    connectedAt: CreatedAt;
    status: ColumnType<ConnectionStatus, ConnectionStatus | undefined, ConnectionStatus>;
    /** When it was made where no living connection was. */
    resumedAt: Nullable<Date>;
    /** What became of the posts that were missed until then; null as long as that is open. */
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
    /** YYYY-MM-DD, of UTC. */
    day: string;
    resource: 'posts' | 'other';
    calls: Generated<number>;
    limitAt: Nullable<number>;
  };
};
