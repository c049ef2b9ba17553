import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type TicketCategory = ('general' | 'technical' | 'billing') | ('feature_request' | 'bug_report' | 'other');
export type TicketStatus = 'open' | 'in_progress' | 'resolved' | 'closed';
/** Of who asked, of one of us to them, or a note among us. */
export type ReplyKind = 'asker' | 'answer' | 'note';

/** What people ask us. */
export type SupportTables = {
  supportTickets: {
    id: Generated<string>;
    number: Generated<number>;
    /** Null when nobody was signed in who asked. */
    userId: Nullable<string>;
    name: string;
    email: string;
    category: TicketCategory;
    subject: string;
    message: string;
    status: Generated<TicketStatus>;
    createdAt: CreatedAt;
    askedAt: CreatedAt;
    answeredAt: Nullable<Date>;
    /** Where an admin made it of feedback. */
    feedbackId: Nullable<string>;
  };
  supportReplies: {
    id: Generated<string>;
    ticketId: string;
    kind: ReplyKind;
    adminId: Nullable<string>;
    message: string;
    createdAt: CreatedAt;
  };
  savedReplies: { id: Generated<string>; title: string; message: string };
};
