import { CircleCheck, Link2, LogOut, Menu, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { Link, useLocation, useMatches, useNavigate } from 'react-router';
import { Avatar } from '#app/ui/components/avatar.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { usePendingLocation } from '#app/ui/form/failure/client-middleware.ts';
import { InlineErrors } from '#app/ui/messages/inline-notices.tsx';
import { type PageStatus, StatusBanner } from '#app/ui/messages/status-banner.tsx';
import { usePreservedFocus } from './focus.ts';
import { LogoLink } from './logo.tsx';
import { BottomBarLinks, MENU, navItemAt, SidebarLinks } from './nav-links.tsx';
import { ThemeSwitch } from './theme-switch.tsx';

type ShellUser = { name: string; email: string; isAdmin: boolean; picture: string | null };
/** `waiting`: how many posts wait for approval. */
type SideProps = { user: ShellUser; isLinkedInConnected: boolean; waiting: number };

/** The current menu item: the one that the page's data names as `under`, else that of its URL. */
function useNavItem(): string {
  const page = useMatches().at(-1)?.loaderData as { under?: string } | undefined;
  const { pathname } = useLocation();
  return navItemAt(page?.under ?? pathname);
}

function Side({ home, user, isLinkedInConnected, waiting }: SideProps & { home: string }) {
  const side = useRef<HTMLElement>(null);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes the menu.
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
          <X aria-hidden />
          <span className="sr-only">Close menu</span>
        </button>
      </div>
      <nav aria-label="Main" className="side-nav">
        <SidebarLinks current={useNavItem()} waiting={waiting} isAdmin={user.isAdmin} />
      </nav>
      <div className="side-foot">
        <Link to="/app/account" className="side-who">
          <Avatar name={user.name || user.email} picture={user.picture} className="side-avatar" />
          <span className="side-user">
            <span dir="auto">{user.name || user.email}</span>
            Account
          </span>
        </Link>
        {isLinkedInConnected && (
          <p className="side-connected">
            <CircleCheck aria-hidden size={16} />
            LinkedIn Connected
          </p>
        )}
        <ThemeSwitch />
        <ActionForm action="/logout" failure="Failed to log out">
          <button type="submit" className="side-link w-full">
            <LogOut aria-hidden size={20} />
            Log out
          </button>
        </ActionForm>
      </div>
    </aside>
  );
}

const BottomBar = ({ waiting }: Pick<SideProps, 'waiting'>) => (
  <nav aria-label="Shortcuts" className="bottom-bar">
    <BottomBarLinks current={useNavItem()} waiting={waiting} />
  </nav>
);

type TopBarProps = { home: string; needsConnection: boolean };

const TopBar = ({ home, needsConnection }: TopBarProps) => (
  <header className={needsConnection ? 'topbar' : 'topbar md:hidden'}>
    <button type="button" className="icon-button -ms-2 md:hidden" popoverTarget={MENU}>
      <Menu aria-hidden />
      <span className="sr-only">Open menu</span>
    </button>
    <LogoLink to={home} className="topbar-logo md:hidden" />
    {needsConnection && (
      <ButtonLink to="/app/linkedin" variant="secondary" size="sm" className="ms-auto">
        <Link2 aria-hidden size={16} className="max-sm:hidden" />
        Connect LinkedIn
      </ButtonLink>
    )}
  </header>
);

type AppShellProps = SideProps & {
  status: PageStatus | null;
  children: ReactNode;
};

/** The frame of every signed-in page: a sidebar, a rail on tablets, or a top and a bottom bar on phones. */
export function AppShell({ status, children, ...side }: AppShellProps) {
  const { isAdmin } = side.user;
  const home = isAdmin ? '/app/admin' : '/app/dashboard';
  usePreservedFocus();
  return (
    <div className="shell">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <Side home={home} {...side} />
      <TopBar home={home} needsConnection={!side.isLinkedInConnected && !isAdmin} />
      <Main>
        {status && <StatusBanner {...status} />}
        <InlineErrors isHere={(at) => at === 'page'} className="mb-6" />
        {children}
      </Main>
      <PendingDialog />
      {!isAdmin && <BottomBar waiting={side.waiting} />}
    </div>
  );
}

const Main = ({ children }: { children: ReactNode }) => (
  <main id="main" className="shell-main" aria-busy={usePendingLocation() !== undefined || undefined}>
    {children}
  </main>
);

const DIALOG_PARAM = /[?&](?:dialog|reject|move|swap|help|confirm-\w+)=/;

const open = (dialog: HTMLDialogElement | null) => {
  dialog?.showModal();
  return () => dialog?.close();
};

function PendingDialog() {
  const location = useLocation();
  const navigate = useNavigate();
  const next = usePendingLocation();
  const isLoading =
    next?.pathname === location.pathname &&
    DIALOG_PARAM.test(next.search) &&
    !DIALOG_PARAM.test(location.search);
  if (!isLoading) return null;
  return (
    <dialog
      ref={open}
      className="dialog coming"
      aria-label="One moment"
      aria-busy
      onCancel={() => navigate(location, { replace: true, preventScrollReset: true })}
    >
      <i />
      <i />
      <i />
      <Link to={location} replace preventScrollReset className="btn btn-ghost">
        Cancel
      </Link>
    </dialog>
  );
}
