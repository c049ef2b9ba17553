import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link, type To } from 'react-router';
import { cx } from '#app/ui/cx.ts';

type CardProps = {
  as?: 'section' | 'article' | 'div' | 'li' | 'aside';
  id?: string;
  title?: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children?: ReactNode;
};

export function Card({
  as: As = 'section',
  id,
  title,
  description,
  actions,
  className,
  children,
}: CardProps) {
  return (
    <As id={id} tabIndex={id ? -1 : undefined} className={cx('card', className)}>
      {(title || actions) && (
        <div className="mb-4 flex flex-wrap items-start last:mb-0 gap-x-4 gap-y-2">
          <div className={cx('min-w-0 flex-1', description ? 'basis-60' : 'basis-40')}>
            {title && <h2 className="text-lg font-semibold">{title}</h2>}
            {description && <p className="mt-0.5 max-w-prose text-sm text-ink-2">{description}</p>}
          </div>
          {actions && <div className="flex shrink-0 flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </As>
  );
}

type StatCardProps = { label: string; value: ReactNode; detail?: ReactNode; to?: To };

export function StatCard({ label, value, detail, to }: StatCardProps) {
  const content = (
    <>
      <span className="flex items-center justify-between gap-2 text-sm text-ink-2">
        {label}
        {to && <ArrowRight aria-hidden size={16} className="text-ink-3" />}
      </span>
      <span className="mt-1 block font-display text-2xl font-semibold tabular-nums">{value}</span>
      {detail && <span className="block text-xs text-ink-3">{detail}</span>}
    </>
  );
  return to ? (
    <Link to={to} className="card stat">
      {content}
    </Link>
  ) : (
    <div className="card stat">{content}</div>
  );
}
