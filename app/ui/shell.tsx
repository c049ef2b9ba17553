import {
  CalendarClock,
  CircleCheck,
  CreditCard,
  Ellipsis,
  History,
  LayoutDashboard,
  Link2,
  LogOut,
  type LucideIcon,
  Menu,
  Tags,
  X,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation } from 'react-router';
import { ActionForm } from './action-form.tsx';
import { Avatar } from './avatar.tsx';
import { ButtonLink } from './button.tsx';
import { ComingDialog } from './coming-dialog.tsx';
import { useGoing } from './going.ts';
import { useKeptFocus } from './kept-focus.ts';
import { LogoLink } from './logo.tsx';
import { StandingErrors } from './standing-errors.tsx';
import { type PageStatus, StatusBanner } from './status-banner.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

type Item = { to: string; label: string; short?: string; icon: LucideIcon };

const USER_ITEMS: Item[] = [
  { to: '/app/dashboard', label: 'Dashboard', icon: LayoutDashboard },
  { to: '/app/topics', label: 'Topics', icon: Tags },
  { to: '/app/scheduled', label: 'Scheduled Posts', short: 'Scheduled', icon: CalendarClock },
  { to: '/app/posts', label: 'Post History', short: 'History', icon: History },
  { to: '/app/payments', label: 'Payment History', icon: CreditCard },
  { to: '/app/linkedin', label: 'LinkedIn', icon: Link2 },
];
const ADMIN_ITEMS: Item[] = [{ to: '/app/admin', label: 'Admin Dashboard', icon: LayoutDashboard }];
const BAR_ITEMS = 4;

/** What is said of a place that could not be shown. */
export function failureToLoad({ pathname, search }: Pick<Location, 'pathname' | 'search'>): string {
  if (search.includes('dialog=subscribe')) return 'Failed to load pricing';
  const label = USER_ITEMS.find(({ to }) => to === pathname)?.label;
  return `Failed to load ${!label ? 'data' : label === 'LinkedIn' ? label : label.toLowerCase()}`;
}

/** What is the sidebar where there is room opens as a drawer on a phone, without scripts. */
const MENU = 'menu';

type PlaceLinkProps = { to: string; className: string; children: ReactNode };

/** A link that says so while the reader is at its place or below it. */
function PlaceLink({ to, ...props }: PlaceLinkProps) {
  const { pathname } = useLocation();
  const isHere = `${pathname}/`.startsWith(`${to}/`);
  return <Link {...props} to={to} aria-current={isHere ? 'page' : undefined} />;
}

type ShellUser = { name: string; email: string; isAdmin: boolean; picture: string | null };
/** `waiting`: how many posts wait for approval. */
type SideProps = { user: ShellUser; isLinkedInConnected: boolean; waiting: number };

/** How many posts wait, at the link that leads to them. */
const Waiting = ({ to, count }: { to: string; count: number }) =>
  to === '/app/scheduled' &&
  count > 0 && (
    <span className="count">
      {Math.min(count, 99)}
      <span className="sr-only"> {count === 1 ? 'waits' : 'wait'} for approval</span>
    </span>
  );

function Side({ home, user, isLinkedInConnected, waiting }: SideProps & { home: string }) {
  const side = useRef<HTMLElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every new place closes the menu.
  useEffect(() => side.current?.hidePopover(), [key]);
  return (
    <aside ref={side} id={MENU} popover="auto" className="side">
      <div className="side-head">
        <LogoLink to={home} className="side-logo" />
        <button
          type="button"
          className="icon-button md:hidden"
          popoverTarget={MENU}
          popoverTargetAction="hide"
        >
          <X aria-hidden size={22} />
          <span className="sr-only">Close menu</span>
        </button>
      </div>
      <nav aria-label="Main" className="side-nav">
        {(user.isAdmin ? ADMIN_ITEMS : USER_ITEMS).map(({ to, label, icon: Icon }) => (
          <PlaceLink key={to} to={to} className="side-link">
            <Icon aria-hidden size={20} />
            <span>{label}</span>
            <Waiting to={to} count={waiting} />
          </PlaceLink>
        ))}
      </nav>
      <div className="side-foot">
        <div className="side-who">
          <Avatar name={user.name || user.email} picture={user.picture} className="side-avatar" />
          <div className="min-w-0">
            <p className="side-user" title={user.email}>
              {user.name || user.email}
            </p>
            {isLinkedInConnected && !user.isAdmin && (
              <p className="side-connected">
                <CircleCheck aria-hidden size={16} />
                <span>LinkedIn Connected</span>
              </p>
            )}
          </div>
        </div>
        <ThemeSwitch />
        <ActionForm action="/logout" failure="Failed to log out">
          <button type="submit" className="side-link w-full">
            <LogOut aria-hidden size={20} />
            <span>Log out</span>
          </button>
        </ActionForm>
      </div>
    </aside>
  );
}

function BottomBar({ waiting }: Pick<SideProps, 'waiting'>) {
  return (
    <nav aria-label="Shortcuts" className="bottom-bar">
      {USER_ITEMS.slice(0, BAR_ITEMS).map(({ to, label, short, icon: Icon }) => (
        <PlaceLink key={to} to={to} className="bar-link">
          <Icon aria-hidden size={22} />
          <span>{short ?? label}</span>
          <Waiting to={to} count={waiting} />
        </PlaceLink>
      ))}
      <button type="button" className="bar-link" popoverTarget={MENU}>
        <Ellipsis aria-hidden size={22} />
        <span>More</span>
      </button>
    </nav>
  );
}

function TopBar({ home, asksToConnect }: { home: string; asksToConnect: boolean }) {
  return (
    <header className={asksToConnect ? 'topbar' : 'topbar md:hidden'}>
      <button type="button" className="icon-button -ms-2 md:hidden" popoverTarget={MENU}>
        <Menu aria-hidden size={22} />
        <span className="sr-only">Open menu</span>
      </button>
      <LogoLink to={home} className="topbar-logo md:hidden" />
      {asksToConnect && (
        <ButtonLink to="/app/linkedin" variant="secondary" size="sm" className="ms-auto whitespace-nowrap">
          <Link2 aria-hidden size={16} className="max-sm:hidden" />
          Connect LinkedIn
        </ButtonLink>
      )}
    </header>
  );
}

type AppShellProps = SideProps & {
  status: PageStatus | null;
  children: ReactNode;
};

/** Frame of every signed-in page: sidebar, rail on tablets, top and bottom bar on phones. */
export function AppShell({ status, children, ...side }: AppShellProps) {
  const { isAdmin } = side.user;
  const home = isAdmin ? '/app/admin' : '/app/dashboard';
  useKeptFocus();
  return (
    <div className="shell">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Side home={home} {...side} />
      <TopBar home={home} asksToConnect={!side.isLinkedInConnected && !isAdmin} />
      <Main>
        {status && <StatusBanner {...status} />}
        <StandingErrors isHere={(at) => at === 'page'} className="mb-6" />
        {children}
      </Main>
      <ComingDialog />
      {!isAdmin && <BottomBar waiting={side.waiting} />}
    </div>
  );
}

const Main = ({ children }: { children: ReactNode }) => (
  <main id="main" className="shell-main" aria-busy={useGoing() !== undefined || undefined}>
    {children}
  </main>
);
