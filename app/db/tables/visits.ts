import type { Generated } from 'kysely';
import type { Nullable } from './accounts.ts';

/** Counts of all visits, or by country, city, device, browser, system or page. */
export type VisitKind = 'all' | 'country' | 'city' | 'device' | 'browser' | 'system' | 'page';
/** Bigints. */
type Counts = { visits: string; visitors: string };

export type VisitTables = {
  visits: {
    id: Generated<string>;
    visitedAt: Date;
    /** The full IP address, or only its network. */
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
  /** Opened links of our mails. */
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
    /** Null for links from before mails had signed parameters. */
    mailedAt: Nullable<Date>;
  };
  /** `begins` is a date as text, or `-infinity`. */
  clickSpans: { span: 'day' | 'week' | 'month' | 'ever'; begins: string; clicks: string; addresses: string };
  clickTotals: { kind: 'device' | 'browser'; value: string; clicks: string };
  clickAddresses: { address: string; userId: Nullable<string>; clicks: string; lastClickAt: Date };
  visitAddresses: {
    address: string;
    visits: string;
    lastVisitAt: Date;
    country: string;
    city: string;
    /** Names with the time of the last visit. */
    devices: Record<string, string>;
    browsers: Record<string, string>;
  };
};
