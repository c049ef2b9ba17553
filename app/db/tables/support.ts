import type { Generated } from 'kysely';
import type { CreatedAt, Nullable } from './accounts.ts';

type TicketCategory = ('general' | 'technical' | 'billing') | ('feature_request' | 'bug_report' | 'other');
export type TicketStatus = 'open' | 'in_progress' | 'resolved' | 'closed';
/** From the requester, from an admin to them, or a note between admins. */
export type ReplyKind = 'asker' | 'answer' | 'note';

export type SupportTables = {
  supportTickets: {
    id: Generated<string>;
    number: Generated<number>;
    /** Null when the requester was not signed in. */
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
    /** Set when an admin created it from feedback. */
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
