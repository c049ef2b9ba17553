import type { Generated } from 'kysely';
import type { Nullable } from './accounts.ts';

/** What a count is of: all visits, or those with one country, city, device, browser, system or page. */
export type VisitKind = 'all' | 'country' | 'city' | 'device' | 'browser' | 'system' | 'page';
/** Bigints, so texts. */
type Counts = { visits: string; visitors: string };

/** What pages were looked at, and how often. */
export type VisitTables = {
  visits: {
    id: Generated<string>;
    visitedAt: Date;
    /** Whole, or the network alone. */
    address: Nullable<string>;
    isWhole: boolean;
    sessionId: string;
    isReturning: boolean;
    page: string;
    country: string;
    city: string;
    device: string;
    browser: string;
    system: string;
    language: string;
    screenWidth: Nullable<number>;
    screenHeight: Nullable<number>;
  };
  visitSightings: { day: string; visitor: string; page: string };
  visitDays: Counts & { day: string; kind: VisitKind; value: string };
  visitTotals: Counts & { kind: VisitKind; value: string };
  /** Which links of our mails were opened. */
  emailClicks: {
    id: Generated<string>;
    address: string;
    userId: Nullable<string>;
    campaign: string;
    page: string;
    device: string;
    browser: string;
    system: string;
    clickedAt: Date;
    hour: Date;
    /** When the mail was written; null before links said so under a signature. */
    mailedAt: Nullable<Date>;
  };
  /** A day is text, `-infinity` the first one. */
  clickSpans: { span: 'day' | 'week' | 'month' | 'ever'; begins: string; clicks: string; addresses: string };
  clickTotals: { kind: 'device' | 'browser'; value: string; clicks: string };
  clickAddresses: { address: string; userId: Nullable<string>; clicks: string; lastClickAt: Date };
  visitAddresses: {
    address: string;
    visits: string;
    lastVisitAt: Date;
    country: string;
    city: string;
    /** Each with the time of its last visit. */
    devices: Record<string, string>;
    browsers: Record<string, string>;
  };
};
