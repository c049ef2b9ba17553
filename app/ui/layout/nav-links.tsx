import {
  CalendarClock,
  CreditCard,
  Ellipsis,
  History,
  LayoutDashboard,
  Link2,
  type LucideIcon,
  MessageSquare,
  Tags,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';

type Item = { to: string; label: string; short?: string; icon: LucideIcon };

const USER_ITEMS: Item[] = [
  { to: '/app/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/app/topics', label: 'Topics', icon: Tags },
  { to: '/app/scheduled', label: 'Scheduled Posts', short: 'Scheduled', icon: CalendarClock },
  { to: '/app/posts', label: 'Post History', short: 'History', icon: History },
  { to: '/app/payments', label: 'Payment History', icon: CreditCard },
  { to: '/app/linkedin', label: 'LinkedIn', icon: Link2 },
];
const ADMIN_ITEMS: Item[] = [
  { to: '/app/admin', label: 'Admin Dashboard', icon: LayoutDashboard },
  { to: '/app/admin/support-feedback', label: 'Support & Feedback', icon: MessageSquare },
];
const BAR_ITEMS = 4;

function pageName({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  if (search.includes('dialog=subscribe')) return 'pricing';
  if (pathname !== '/app/admin') return USER_ITEMS.find(({ to }) => to === pathname)?.label ?? 'data';
  if (search.includes('user=')) return 'user posts';
  return `${/tab=(payments|email|visits|users)/.exec(search)?.[1] ?? 'overview'} data`;
}

export const loadFailureOf = (location: Pick<Location, 'pathname' | 'search'>): string =>
  `Failed to load ${pageName(location).toLowerCase().replace('linkedin', 'LinkedIn')}`;

/** The id of the sidebar, which is a popover on phones. */
export const MENU = 'menu';

type ItemLinkProps = { to: string; current: string; className: string; children: ReactNode };

function ItemLink({ current, ...props }: ItemLinkProps) {
  return <Link {...props} aria-current={current === props.to ? 'page' : undefined} />;
}

const ALL_ITEMS = [...USER_ITEMS, ...ADMIN_ITEMS];

export const navItemAt = (pathname: string) =>
  ALL_ITEMS.findLast(({ to }) => `${pathname}/`.startsWith(`${to}/`))?.to ?? '';

const PendingCount = ({ to, count }: { to: string; count: number }) =>
  to === '/app/scheduled' &&
  count > 0 && (
    <span className="count">
      {Math.min(count, 99)}
      <span className="sr-only"> {count === 1 ? 'waits' : 'wait'} for approval</span>
    </span>
  );

type SidebarLinksProps = { current: string; waiting: number; isAdmin: boolean };

export const SidebarLinks = ({ current, waiting, isAdmin }: SidebarLinksProps) =>
  (isAdmin ? ADMIN_ITEMS : USER_ITEMS).map(({ to, label, icon: Icon }) => (
    <ItemLink key={to} to={to} current={current} className="side-link">
      <Icon aria-hidden size={20} />
      <span>{label}</span>
      <PendingCount to={to} count={waiting} />
    </ItemLink>
  ));

export const BottomBarLinks = ({ current, waiting }: { current: string; waiting: number }) => (
  <>
    {USER_ITEMS.slice(0, BAR_ITEMS).map(({ to, label, short, icon: Icon }) => (
      <ItemLink key={to} to={to} current={current} className="bar-link">
        <Icon aria-hidden size={22} />
        <span>{short ?? label}</span>
        <PendingCount to={to} count={waiting} />
      </ItemLink>
    ))}
    <button type="button" className="bar-link" popoverTarget={MENU}>
      <Ellipsis aria-hidden size={22} />
      <span>More</span>
    </button>
  </>
);
