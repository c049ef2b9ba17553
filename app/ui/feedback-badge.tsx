import {
  CircleCheck,
  CircleDashed,
  CircleSlash,
  Eye,
  Hammer,
  type LucideIcon,
  MapPinCheck,
} from 'lucide-react';
import { FEEDBACK_STATUSES, type FeedbackStatus } from '#app/domain/feedback/limits.ts';
import { Badge, type BadgeTone } from './badge.tsx';

const LOOKS: Record<FeedbackStatus, { tone: BadgeTone; icon: LucideIcon }> = {
  new: { tone: 'neutral', icon: CircleDashed },
  reviewed: { tone: 'info', icon: Eye },
  planned: { tone: 'brand', icon: MapPinCheck },
  in_progress: { tone: 'warning', icon: Hammer },
  completed: { tone: 'success', icon: CircleCheck },
  declined: { tone: 'neutral', icon: CircleSlash },
};

/** What becomes of feedback, in icon, word and colour. */
export const FeedbackBadge = ({ status }: { status: FeedbackStatus }) => (
  <Badge {...LOOKS[status]}>{FEEDBACK_STATUSES[status]}</Badge>
);
