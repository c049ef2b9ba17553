import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

export type PaymentStatus = 'pending' | 'active' | 'expired' | 'cancelled' | 'rejected';
export type PaymentMethod = 'upi' | 'paypal';
export type UpgradeType = 'immediate' | 'next_billing';
type RequestStatus = 'open' | 'taken' | 'closed';

export type PaymentTables = {
  currencies: { code: string; symbol: string; name: string; position: number };
  prices: { currencyCode: string; postsPerDay: number; amountMinor: number };
  payments: {
    id: Generated<string>;
    /** Null after the payer's account was deleted. */
    userId: ColumnType<string | null, string, string | null>;
    reference: string;
    status: Generated<PaymentStatus>;
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
    /** The money paid for its time; null until it is verified. */
    worthMinor: Nullable<number>;
    /** Between `startsAt` and `endsAt`, a multirange as text; see spans.ts. */
    interruptions: Generated<string>;
    /** A late payment that runs for the paid share of a month. */
    isProrated: Generated<boolean>;
    /** It keeps its length when it is moved, instead of becoming a whole month. */
    keepsLength: Generated<boolean>;
    firstVerifiedBy: Nullable<string>;
    firstVerifiedAt: Nullable<Date>;
    /** Detect repeated screenshots; kept after the image is deleted. */
    screenshotHashes: Nullable<string[]>;
  };
  paymentRequests: {
    id: Generated<string>;
    /** Null after the user's account was deleted. */
    userId: ColumnType<string | null, string, string | null>;
    reference: string;
    status: Generated<RequestStatus>;
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
  /** Sums of verified payments, maintained by triggers; bigints. */
  earnings: Record<'payments' | 'fullMinor' | 'creditMinor' | 'paidMinor', string> & {
    span: 'day' | 'quarter';
    currencyCode: string;
    begins: Date;
  };
  paymentScreenshots: { paymentId: string; contentType: string; bytes: Buffer; createdAt: CreatedAt };
};
