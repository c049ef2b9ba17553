import { CircleCheck, CircleDashed, CircleSlash, LoaderCircle } from 'lucide-react';
import { TICKET_STATUSES, type TicketStatus } from '#app/domain/support/limits.ts';
import { type BadgeLook, stateBadge } from '#app/ui/components/badge.tsx';

const LOOKS: Record<TicketStatus, BadgeLook> = {
  open: { tone: 'info', icon: CircleDashed },
  in_progress: { tone: 'brand', icon: LoaderCircle },
  resolved: { tone: 'success', icon: CircleCheck },
  closed: { tone: 'neutral', icon: CircleSlash },
};

export const TicketBadge = stateBadge(TICKET_STATUSES, LOOKS);
