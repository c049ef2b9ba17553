import './header-footer.css';
import { Link } from 'react-router';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { LogoLink } from '#app/ui/layout/logo.tsx';
import { ThemeSwitch } from '#app/ui/layout/theme-switch.tsx';
import { PromoBanner } from './promo-banner.tsx';

type FrameProps = { isSignedIn: boolean; hasPrices: boolean };

const SECTIONS = [
  { href: '/#how-it-works', label: 'How it works' },
  { href: '/#features', label: 'Features' },
  { href: '/#prices', label: 'Prices' },
  { href: '/#questions', label: 'Questions' },
];
/** Pages that the client-side router doesn't know. */
const DOCUMENTS = [
  { href: '/help', label: 'Help' },
  { href: '/terms', label: 'Terms' },
  { href: '/privacy', label: 'Privacy' },
  { href: '/imprint', label: 'Imprint' },
];
const sections = (hasPrices: boolean) => SECTIONS.filter(({ href }) => hasPrices || href !== '/#prices');

const Links = ({ links }: { links: typeof SECTIONS }) =>
  links.map(({ href, label }) => (
    <a key={href} href={href}>
      {label}
    </a>
  ));

export const StartLink = ({ isSignedIn, size }: { isSignedIn: boolean; size?: 'md' | 'sm' }) =>
  isSignedIn ? (
    <ButtonLink to="/app/dashboard" size={size}>
      Go to Dashboard
    </ButtonLink>
  ) : (
    <ButtonLink to="/signup" size={size}>
      Start free
    </ButtonLink>
  );

export const SiteHeader = ({
  isSignedIn,
  hasPrices,
  promoPercent,
}: FrameProps & { promoPercent: number }) => (
  <>
    {!isSignedIn && promoPercent > 0 && <PromoBanner percent={promoPercent} />}
    <header className="site-header">
      <LogoLink />
      <nav aria-label="Page" className="site-nav">
        <Links links={sections(hasPrices)} />
      </nav>
      <div className="flex items-center gap-1 sm:gap-2">
        {!isSignedIn && (
          <ButtonLink to="/login" variant="ghost" size="sm">
            Log in
          </ButtonLink>
        )}
        <StartLink isSignedIn={isSignedIn} size="sm" />
      </div>
    </header>
  </>
);

export const SiteFooter = ({ isSignedIn, hasPrices }: FrameProps) => (
  <footer className="site-footer">
    <div>
      <LogoLink />
      <p className="mt-3 max-w-xs text-sm">
        LinkedIn posts on your topics, written every day and sent at your times.
      </p>
    </div>
    <nav aria-label="Footer" className="footer-links">
      <Links links={sections(hasPrices)} />
      {isSignedIn ? (
        <Link to="/app/dashboard">Dashboard</Link>
      ) : (
        <>
          <Link to="/login">Log in</Link>
          <Link to="/signup">Sign up</Link>
        </>
      )}
      <Links links={DOCUMENTS} />
    </nav>
    <div className="max-w-xs sm:col-span-2">
      <ThemeSwitch />
    </div>
    <p className="text-xs sm:col-span-2">
      Tidepost is an independent product. LinkedIn is a trademark of LinkedIn Corporation.
    </p>
  </footer>
);
