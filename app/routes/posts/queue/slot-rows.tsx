import {
  CalendarClock,
  Check,
  CircleCheck,
  CircleDashed,
  CircleMinus,
  CircleQuestionMark,
  CircleSlash,
  CircleX,
  Clock,
  LoaderCircle,
  type LucideIcon,
  Plus,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { postAddress } from '#app/routes/actions.ts';
import type { EntryView } from '#app/routes/posts/present-entry.ts';
import { cx } from '#app/ui/cx.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { Time } from '#app/ui/time.tsx';
import type { EntryState } from './slot-labels.ts';

const STATE_STYLES: Record<EntryState, { icon: LucideIcon; tone: string }> = {
  published: { icon: CircleCheck, tone: 'text-success-ink' },
  publishing: { icon: LoaderCircle, tone: 'text-brand-ink' },
  generated: { icon: CalendarClock, tone: 'text-info-ink' },
  pending: { icon: Clock, tone: 'text-warning-ink' },
  set_aside: { icon: CircleSlash, tone: 'text-ink-3' },
  unconfirmed: { icon: CircleQuestionMark, tone: 'text-warning-ink' },
  failed: { icon: CircleX, tone: 'text-danger-ink' },
  filling: { icon: LoaderCircle, tone: 'text-brand-ink' },
  open: { icon: Plus, tone: 'text-ink-3' },
  taken: { icon: CircleMinus, tone: 'text-ink-3' },
  empty: { icon: CircleDashed, tone: 'text-ink-3' },
  written: { icon: CircleCheck, tone: 'text-success-ink' },
  to_write: { icon: Clock, tone: 'text-ink-3' },
  before_plan: { icon: CircleDashed, tone: 'text-ink-3' },
};

/** States that end on their own within a moment. */
const SPINNING: EntryState[] = ['publishing', 'filling'];

type SlotRowsProps = { rows: readonly EntryView[]; label: string; from: string };
type SlotRowProps = { row: EntryView; from: string };

export const SlotRows = ({ rows, label, from }: SlotRowsProps) => (
  <ol aria-label={label} className="slots">
    {rows.map((row) => (
      <SlotRow key={row.key} row={row} from={from} />
    ))}
  </ol>
);

function SlotRow({ row, from }: SlotRowProps) {
  const { time, state, title, detail, tone, isPast, post } = row;
  const { icon: Icon, tone: colour } = STATE_STYLES[state];
  return (
    <li
      id={post ? `slot-${post.id}` : undefined}
      tabIndex={post ? -1 : undefined}
      className={cx('slot', isPast && 'is-past', !post && 'is-free', state === 'open' && 'is-open')}
    >
      <Time {...time} className="slot-time" />
      <Icon aria-hidden size={20} className={cx(colour, SPINNING.includes(state) && 'animate-spin')} />
      <span className="slot-text">
        <span className="slot-hook">{title}</span>
        <span className={cx('slot-detail', tone !== 'quiet' && `is-${tone}`)}>{detail}</span>
      </span>
      <span className="slot-acts">
        <RowActions row={row} from={from} />
      </span>
    </li>
  );
}

function RowActions({ row: { state, post, slot, time }, from }: SlotRowProps) {
  if (!post) return state === 'open' && slot && <FillButton slot={slot} time={time.text} from={from} />;
  const about = <span className="sr-only">{` “${post.content}”`}</span>;
  return (
    <>
      {state === 'pending' && (
        <ApproveButton post={post} from={from}>
          {about}
        </ApproveButton>
      )}
      {post.links.map(({ label, to, isMain }) => (
        <Link key={label} to={to} className={cx('btn btn-sm', isMain ? 'btn-secondary' : 'btn-ghost')}>
          {label}
          {about}
        </Link>
      ))}
      {post.url && (
        <a href={post.url} target="_blank" rel="noreferrer" className="btn btn-sm btn-ghost">
          View on LinkedIn<span className="sr-only"> (opens in a new tab)</span>
          {about}
        </a>
      )}
    </>
  );
}

type ApproveButtonProps = {
  post: NonNullable<EntryView['post']>;
  from: string;
  children: ReactNode;
};

const ApproveButton = ({ post: { id, revision }, from, children }: ApproveButtonProps) => (
  <ActionForm
    action={postAddress(id, 'approve')}
    failure="Failed to approve post"
    fields={{ from, revision: `${revision}` }}
    preventScrollReset
  >
    <SubmitButton size="sm" variant="secondary" busyLabel="Approving…">
      <Check aria-hidden size={16} />
      Approve
      {children}
    </SubmitButton>
  </ActionForm>
);

export const FillButton = ({ slot, time, from }: { slot: string; time: string; from: string }) => (
  <ActionForm
    action="/app/generate"
    failure="Failed to generate posts"
    isOnce
    fields={{ slot, from }}
    preventScrollReset
  >
    <SubmitButton size="sm" variant="ghost" busyLabel="Starting…">
      Fill it<span className="sr-only">{` with a post for ${time}`}</span>
    </SubmitButton>
  </ActionForm>
);
