import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

export type PasskeyPurpose = 'add' | 'sign-in' | 'second-step';

export type TwoStepTables = {
  authenticatorApps: {
    userId: string;
    secretSealed: string;
    createdAt: CreatedAt;
    confirmedAt: Nullable<Date>;
    lastStep: Generated<number>;
  };
  recoveryCodes: { userId: string; codeHash: string };
  twoFactorAttempts: { userId: string; attempts: number; since: Date; wrongBefore: Generated<number> };
  /** `counter` is a bigint. */
  passkeys: {
    id: Generated<string>;
    userId: string;
    name: string;
    credentialId: string;
    publicKey: string;
    counter: string | number;
    transports: Generated<string[]>;
    createdAt: CreatedAt;
    lastUsedAt: Nullable<Date>;
  };
  passkeyChallenges: {
    id: Generated<string>;
    challenge: string;
    purpose: PasskeyPurpose;
    userId: Nullable<string>;
    createdAt: CreatedAt;
  };
};
