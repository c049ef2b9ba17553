import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

export type PaymentStatus = 'pending' | 'active' | 'expired' | 'cancelled' | 'rejected';
export type PaymentMethod = 'upi' | 'paypal';
export type UpgradeType = 'immediate' | 'next_billing';
type RequestStatus = 'open' | 'taken' | 'closed';

/** What is sold, and what was paid for it. */
export type PaymentTables = {
  currencies: { code: string; symbol: string; name: string; position: number };
  prices: { currencyCode: string; postsPerDay: number; amountMinor: number };
  payments: {
    id: Generated<string>;
    /** Null when the account of who paid is gone. */
    userId: ColumnType<string | null, string, string | null>;
    reference: string;
    status: ColumnType<PaymentStatus, PaymentStatus | undefined, PaymentStatus>;
    method: PaymentMethod;
    postsPerDay: number;
    currencyCode: string;
    amountMinor: number;
    fullPriceMinor: number;
    transactionId: string;
    upgradeType: Nullable<UpgradeType>;
    payerName: Generated<string>;
    payerEmail: Generated<string>;
    createdAt: CreatedAt;
    verifiedAt: Nullable<Date>;
    verifiedBy: Nullable<string>;
    startsAt: Nullable<Date>;
    endsAt: Nullable<Date>;
    cancelledAt: Nullable<Date>;
    rejectedAt: Nullable<Date>;
    rejectReason: Nullable<string>;
    rejectedBy: Nullable<string>;
    requestId: Nullable<string>;
    /** What was really paid for its time; null until it is verified. */
    worthMinor: Nullable<number>;
    /** Within `startsAt` and `endsAt`, as Postgres writes a multirange; see pieces.ts. */
    interruptions: Generated<string>;
    /** Taken in when its request stood no more: it runs for as much of a month as was paid for. */
    isProrated: Generated<boolean>;
    /** A rest, or with days that were given: no whole month any more, wherever it is moved to. */
    keepsLength: Generated<boolean>;
    firstVerifiedBy: Nullable<string>;
    firstVerifiedAt: Nullable<Date>;
    /** By which a screenshot that comes again is known; it stays when the picture goes. */
    screenshotHashes: Nullable<string[]>;
  };
  paymentRequests: {
    id: Generated<string>;
    /** Null when the account of who was asked is gone. */
    userId: ColumnType<string | null, string, string | null>;
    reference: string;
    status: ColumnType<RequestStatus, RequestStatus | undefined, RequestStatus>;
    postsPerDay: number;
    currencyCode: string;
    upgradeType: Nullable<UpgradeType>;
    fullPriceMinor: number;
    promoPercent: Generated<number>;
    amountMinor: number;
    creditMinor: Generated<number>;
    creditPaymentId: Nullable<string>;
    creditedFrom: Nullable<Date>;
    creditedMs: ColumnType<string | null, number | null | undefined, number | null>;
    openedAt: CreatedAt;
    expiresAt: Date;
  };
  /** What verified payments came to, as triggers keep it; bigints, so texts. */
  earnings: Record<'payments' | 'fullMinor' | 'creditMinor' | 'paidMinor', string> & {
    span: 'day' | 'quarter';
    currencyCode: string;
    begins: Date;
  };
  paymentScreenshots: { paymentId: string; contentType: string; bytes: Buffer; createdAt: CreatedAt };
};
