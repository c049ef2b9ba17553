import { CircleCheck, CircleDashed, CircleSlash, Eye, Hammer, LoaderCircle, MapPinCheck } from 'lucide-react';
import { FEEDBACK_STATUSES, type FeedbackStatus } from '#app/domain/feedback/limits.ts';
import { TICKET_STATUSES, type TicketStatus } from '#app/domain/support/limits.ts';
import { type BadgeLook, stateBadge } from '#app/ui/components/badge.tsx';

const LOOKS: Record<TicketStatus, BadgeLook> = {
  open: { tone: 'info', icon: CircleDashed },
  in_progress: { tone: 'brand', icon: LoaderCircle },
  resolved: { tone: 'success', icon: CircleCheck },
  closed: { tone: 'neutral', icon: CircleSlash },
};

export const TicketBadge = stateBadge(TICKET_STATUSES, LOOKS);

const FEEDBACK_LOOKS: Record<FeedbackStatus, BadgeLook> = {
  new: { tone: 'neutral', icon: CircleDashed },
  reviewed: { tone: 'info', icon: Eye },
  planned: { tone: 'brand', icon: MapPinCheck },
  in_progress: { tone: 'warning', icon: Hammer },
  completed: { tone: 'success', icon: CircleCheck },
  declined: { tone: 'neutral', icon: CircleSlash },
};

export const FeedbackBadge = stateBadge(FEEDBACK_STATUSES, FEEDBACK_LOOKS);
