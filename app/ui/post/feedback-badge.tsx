import { CircleCheck, CircleDashed, CircleSlash, Eye, Hammer, MapPinCheck } from 'lucide-react';
import { FEEDBACK_STATUSES, type FeedbackStatus } from '#app/domain/feedback/limits.ts';
import { type BadgeLook, stateBadge } from '#app/ui/components/badge.tsx';

const LOOKS: Record<FeedbackStatus, BadgeLook> = {
  new: { tone: 'neutral', icon: CircleDashed },
  reviewed: { tone: 'info', icon: Eye },
  planned: { tone: 'brand', icon: MapPinCheck },
  in_progress: { tone: 'warning', icon: Hammer },
  completed: { tone: 'success', icon: CircleCheck },
  declined: { tone: 'neutral', icon: CircleSlash },
};

export const FeedbackBadge = stateBadge(FEEDBACK_STATUSES, LOOKS);
