import { CircleAlert, CircleCheck, Info, type LucideIcon, TriangleAlert } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { cx } from '#app/ui/cx.ts';

let lastPath: string | undefined;

type PageHeaderProps = { title: ReactNode; description?: ReactNode; actions?: ReactNode; badge?: ReactNode };

/** The heading takes the focus after a navigation from another page of the app, unless that led to a card or a field. */
export function PageHeader({ title, description, actions, badge }: PageHeaderProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { pathname, hash } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page moves the focus.
  useEffect(() => {
    if (
      lastPath !== undefined &&
      lastPath !== pathname &&
      !document.querySelector('dialog[open], main input:focus')
    ) {
      heading.current?.focus({ preventScroll: true });
      document.getElementById(hash.slice(1))?.focus({ preventScroll: true });
    }
    lastPath = pathname;
  }, [pathname]);

  return (
    <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4">
      <div className="min-w-0 break-words">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h1 ref={heading} tabIndex={-1} className="font-display text-2xl font-semibold">
            {title}
          </h1>
          {badge}
        </div>
        {description && <div className="mt-1 max-w-prose text-ink-2">{description}</div>}
      </div>
      {actions && <div className="flex flex-wrap items-center gap-3">{actions}</div>}
    </header>
  );
}

export const EmptyIcon = ({ icon: Icon }: { icon: LucideIcon }) => (
  <span className="empty-icon">
    <Icon aria-hidden size={26} strokeWidth={1.6} />
    <svg aria-hidden="true" viewBox="0 0 72 10" className="empty-wave">
      <path d="M0 5q6-5 12 0t12 0 12 0 12 0 12 0 12 0" fill="none" stroke="currentColor" strokeWidth="1.5" />
    </svg>
  </span>
);

type EmptyStateProps = { icon: LucideIcon; title: string; text: ReactNode; action?: ReactNode };

export function EmptyState({ icon, title, text, action }: EmptyStateProps) {
  return (
    <div className="card flex flex-col items-center px-6 py-12 text-center">
      <EmptyIcon icon={icon} />
      <h2 className="mt-5 font-display text-xl font-semibold">{title}</h2>
      <p className="mt-1 max-w-md text-ink-2 text-pretty">{text}</p>
      {action && <div className="mt-6">{action}</div>}
    </div>
  );
}

const BANNER_ICONS = { info: Info, success: CircleCheck, warning: TriangleAlert, danger: CircleAlert };

type BannerProps = {
  tone?: keyof typeof BANNER_ICONS;
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
  className?: string;
};

export function Banner({ tone = 'info', title, children, action, className }: BannerProps) {
  const Icon = BANNER_ICONS[tone];
  return (
    <div className={cx('banner', `banner-${tone}`, className)}>
      <Icon aria-hidden size={20} className="banner-icon" />
      <div className="banner-text">
        {title && <p className="font-semibold">{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {action && <div className="shrink-0 max-sm:w-full max-sm:ps-8">{action}</div>}
    </div>
  );
}
