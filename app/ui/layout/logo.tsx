import { Link } from 'react-router';
import { cx } from '#app/ui/cx.ts';

export function LogoLink({ to = '/', className }: { to?: string; className?: string }) {
  return (
    <Link to={to} className={cx('inline-flex min-h-11 items-center gap-2.5 rounded-md', className)}>
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-8 shrink-0">
        <rect width="32" height="32" rx="9" className="logo-tile" />
        <circle cx="21.5" cy="10.5" r="3.5" className="fill-accent" />
        <g fill="none" strokeWidth="2.6" strokeLinecap="round" className="logo-waves">
          <path d="M5.5 18c2.6-3.4 5.3-3.4 7.9 0s5.3 3.4 7.9 0 3.6-3 5.2-1.6" />
          <path d="M5.5 24c2.6-3.4 5.3-3.4 7.9 0s5.3 3.4 7.9 0 3.6-3 5.2-1.6" opacity=".55" />
        </g>
      </svg>
      <span className="font-display text-xl font-semibold tracking-tight">Tidepost</span>
    </Link>
  );
}
