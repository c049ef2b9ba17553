import {
  CalendarClock,
  CircleCheck,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Clock,
  LoaderCircle,
  type LucideIcon,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { POST_WORDS, type ShownBadge } from '#app/domain/posts/limits.ts';

export type BadgeTone = 'neutral' | 'brand' | 'success' | 'warning' | 'danger' | 'info';

type BadgeProps = { tone?: BadgeTone; icon?: LucideIcon; children: ReactNode };

export function Badge({ tone = 'neutral', icon: Icon, children }: BadgeProps) {
  return (
    <span className={`badge badge-${tone}`}>
      {Icon && <Icon aria-hidden size={14} />}
      {children}
    </span>
  );
}

const LOOKS: Record<ShownBadge, { tone: BadgeTone; icon: LucideIcon }> = {
  published: { tone: 'success', icon: CircleCheck },
  generated: { tone: 'info', icon: CalendarClock },
  unplanned: { tone: 'info', icon: CircleCheck },
  publishing: { tone: 'brand', icon: LoaderCircle },
  pending: { tone: 'warning', icon: Clock },
  set_aside: { tone: 'neutral', icon: CircleSlash },
  unconfirmed: { tone: 'warning', icon: CircleQuestionMark },
  failed: { tone: 'danger', icon: CircleX },
};

/** Where a post stands, in icon, word and colour. */
export const StatusBadge = ({ status }: { status: ShownBadge }) => (
  <Badge {...LOOKS[status]}>{POST_WORDS[status]}</Badge>
);
