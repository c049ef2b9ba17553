import { Link } from 'react-router';
import { cx } from './class-names.ts';

const MARK = {
  __html:
    '<rect width="32" height="32" rx="9" class="logo-tile"/><circle cx="21.5" cy="10.5" r="3.5" class="fill-accent"/>' +
    '<g fill="none" stroke-width="2.6" stroke-linecap="round" class="logo-waves">' +
    '<path d="M5.5 18c2.6-3.4 5.3-3.4 7.9 0s5.3 3.4 7.9 0 3.6-3 5.2-1.6"/>' +
    '<path d="M5.5 24c2.6-3.4 5.3-3.4 7.9 0s5.3 3.4 7.9 0 3.6-3 5.2-1.6" opacity=".55"/></g>',
};

/** The mark, a post above the waterline, beside the name. */
export function LogoLink({ to = '/', className }: { to?: string; className?: string }) {
  return (
    <Link to={to} className={cx('inline-flex min-h-11 items-center gap-2.5 rounded-md', className)}>
      <svg
        aria-hidden="true"
        viewBox="0 0 32 32"
        className="size-8 shrink-0"
        // biome-ignore lint/security/noDangerouslySetInnerHtml: the drawing is ours.
        dangerouslySetInnerHTML={MARK}
      />
      <span className="font-display text-xl font-semibold tracking-tight">Tidepost</span>
    </Link>
  );
}
