import type { ReactNode } from 'react';
import { LogoLink } from './logo.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { TideLine } from './tide-line.tsx';

type AuthLayoutProps = {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
  footer?: ReactNode;
  isWide?: boolean;
};

/** Keeps the end of the page clear of the help button. */
const CLEAR = { paddingBottom: '0.75rem' } as const;

export function AuthLayout({ title, lead, children, footer, isWide }: AuthLayoutProps) {
  const width = isWide ? 'max-w-xl' : 'max-w-md';
  return (
    <div className="auth">
      <header className="px-4 py-2 sm:px-8">
        <LogoLink />
      </header>
      <main id="main" className={`mx-auto w-full flex-1 px-4 sm:pt-2 ${width}`} style={CLEAR}>
        <div className="card auth-card">
          <h1 tabIndex={-1} className="font-display text-2xl font-semibold">
            {title}
          </h1>
          {lead && <div className="mt-1 text-ink-2 text-pretty">{lead}</div>}
          <div className="mt-3">{children}</div>
        </div>
        {footer && <div className="mt-3 text-center text-ink-2">{footer}</div>}
      </main>
      <footer className="auth-theme">
        <ThemeSwitch />
      </footer>
      <TideLine className="auth-tide" />
    </div>
  );
}
