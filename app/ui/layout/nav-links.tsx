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

function nameOf({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  if (search.includes('dialog=subscribe')) return 'pricing';
  if (pathname !== '/app/admin') return USER_ITEMS.find(({ to }) => to === pathname)?.label ?? 'data';
  if (search.includes('user=')) return 'user posts';
  return `${/tab=(payments|email|visits|users)/.exec(search)?.[1] ?? 'overview'} data`;
}

/** What is said of a place that could not be shown. */
export const loadFailureOf = (place: Pick<Location, 'pathname' | 'search'>): string =>
  `Failed to load ${nameOf(place).toLowerCase().replace('linkedin', 'LinkedIn')}`;

/** What is the sidebar where there is room opens as a drawer on a phone, without scripts. */
export const MENU = 'menu';

type PlaceLinkProps = { to: string; here: string; className: string; children: ReactNode };

/** A link that says so while the reader is at its place or below it. */
function PlaceLink({ here, ...props }: PlaceLinkProps) {
  return <Link {...props} aria-current={here === props.to ? 'page' : undefined} />;
}

const ALL_ITEMS = [...USER_ITEMS, ...ADMIN_ITEMS];

/** The place that an address is at or below, the innermost of them. */
export const navItemAt = (pathname: string) =>
  ALL_ITEMS.findLast(({ to }) => `${pathname}/`.startsWith(`${to}/`))?.to ?? '';

/** How many posts wait, at the link that leads to them. */
const Waiting = ({ to, count }: { to: string; count: number }) =>
  to === '/app/scheduled' &&
  count > 0 && (
    <span className="count">
      {Math.min(count, 99)}
      <span className="sr-only"> {count === 1 ? 'waits' : 'wait'} for approval</span>
    </span>
  );

type PlacesProps = { here: string; waiting: number; isAdmin: boolean };

/** The links of the sidebar. */
export const SidebarLinks = ({ here, waiting, isAdmin }: PlacesProps) =>
  (isAdmin ? ADMIN_ITEMS : USER_ITEMS).map(({ to, label, icon: Icon }) => (
    <PlaceLink key={to} to={to} here={here} className="side-link">
      <Icon aria-hidden size={20} />
      <span>{label}</span>
      <Waiting to={to} count={waiting} />
    </PlaceLink>
  ));

/** What stands in the bottom bar. */
export const BottomBarLinks = ({ here, waiting }: { here: string; waiting: number }) => (
  <>
    {USER_ITEMS.slice(0, BAR_ITEMS).map(({ to, label, short, icon: Icon }) => (
      <PlaceLink key={to} to={to} here={here} className="bar-link">
        <Icon aria-hidden size={22} />
        <span>{short ?? label}</span>
        <Waiting to={to} count={waiting} />
      </PlaceLink>
    ))}
    <button type="button" className="bar-link" popoverTarget={MENU}>
      <Ellipsis aria-hidden size={22} />
      <span>More</span>
    </button>
  </>
);
