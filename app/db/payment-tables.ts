import type { ColumnType, Generated } from 'kysely';
import type { CreatedAt, Nullable } from './account-tables.ts';

export type PaymentStatus = 'pending' | 'active' | 'expired' | 'cancelled' | 'rejected';
export type PaymentMethod = 'upi' | 'paypal';
export type UpgradeType = 'immediate' | 'next_billing';

/** What is sold, and what was paid for it. */
export type PaymentTables = {
  currencies: { code: string; symbol: string; name: string; position: number };
  prices: { currencyCode: string; postsPerDay: number; amountMinor: number };
  payments: {
    id: Generated<string>;
    userId: string;
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
  };
};
