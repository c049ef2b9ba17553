import {
  Ban,
  CalendarClock,
  CircleCheck,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Clock,
  LoaderCircle,
  type LucideIcon,
  TimerOff,
} from 'lucide-react';
import type { ReactNode } from 'react';

type BadgeTone = 'neutral' | 'brand' | 'success' | 'warning' | 'danger' | 'info';

type BadgeProps = { tone?: BadgeTone; icon?: LucideIcon; children: ReactNode };

export function Badge({ tone = 'neutral', icon: Icon, children }: BadgeProps) {
  return (
    <span className={`badge badge-${tone}`}>
      {Icon && <Icon aria-hidden size={14} />}
      {children}
    </span>
  );
}

const STATUSES: Record<string, { tone: BadgeTone; icon: LucideIcon; word: string }> = {
  active: { tone: 'success', icon: CircleCheck, word: 'Active' },
  published: { tone: 'success', icon: CircleCheck, word: 'Published' },
  generated: { tone: 'info', icon: CalendarClock, word: 'Scheduled' },
  publishing: { tone: 'brand', icon: LoaderCircle, word: 'Publishing…' },
  pending: { tone: 'warning', icon: Clock, word: 'Pending' },
  expired: { tone: 'neutral', icon: TimerOff, word: 'Expired' },
  cancelled: { tone: 'neutral', icon: CircleSlash, word: 'Cancelled' },
  set_aside: { tone: 'neutral', icon: CircleSlash, word: 'Set aside' },
  unconfirmed: { tone: 'warning', icon: CircleQuestionMark, word: 'Not confirmed' },
  failed: { tone: 'danger', icon: CircleX, word: 'Failed' },
  rejected: { tone: 'danger', icon: Ban, word: 'Rejected' },
};

/** A status in icon, word and colour; one it does not know reads as Pending. */
export function StatusBadge({ status }: { status: string }) {
  const { tone, icon, word } = STATUSES[status] ?? STATUSES.pending!;
  return (
    <Badge tone={tone} icon={icon}>
      {word}
    </Badge>
  );
}
