import { Clock } from 'lucide-react';
import { Link } from 'react-router';
import { Badge } from '#app/ui/components/badge.tsx';
import { FeedbackBadge, TicketBadge } from '#app/ui/post/status-badges.tsx';
import { Time } from '#app/ui/time.tsx';
import type { PresentedFeedback, PresentedTicket } from './present.ts';

export const TicketDetails = ({ status, about, wait, isLate, at }: PresentedTicket) => (
  <p className="line-about">
    <TicketBadge status={status} />
    <Badge>{about}</Badge>
    {wait && (
      <Badge tone={isLate ? 'danger' : 'neutral'} icon={Clock}>
        {wait}
      </Badge>
    )}
    <Time {...at} />
  </p>
);

export const FeedbackDetails = ({ status, about, votes, rating, at }: PresentedFeedback) => (
  <p className="line-about">
    <FeedbackBadge status={status} />
    <Badge>{about}</Badge>
    <span>{votes}</span>
    {rating && <span>{rating}</span>}
    <Time {...at} />
  </p>
);

type Sender = { name: string; email: string; proof?: string };

export const SenderLine = ({ name, email, proof }: Sender) => (
  <p className="support-from">
    <bdi>{name}</bdi> · {email}
    {proof && ` · ${proof}`}
  </p>
);

type LineProps = { to: string; item: Sender & { title: string; text: string; number?: number } };

const Heading = ({ to, item: { title, number, text, ...sender } }: LineProps) => (
  <>
    <h2 className="font-semibold">
      <Link to={to} preventScrollReset className="line-title">
        {number && <span className="text-ink-3">#{number} </span>}
        <bdi>{title}</bdi>
      </Link>
    </h2>
    <SenderLine {...sender} />
    <p className="line-short" dir="auto">
      {text}
    </p>
  </>
);

export const TicketLine = ({ ticket, to }: { ticket: PresentedTicket; to: string }) => (
  <li className="line">
    <Heading to={to} item={ticket} />
    <TicketDetails {...ticket} />
  </li>
);

export const FeedbackLine = ({ entry, to }: { entry: PresentedFeedback; to: string }) => (
  <li className="line">
    <Heading to={to} item={entry} />
    <FeedbackDetails {...entry} />
  </li>
);
