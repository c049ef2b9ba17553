import './header-footer.css';
import './layout.css';
import type { ReactNode } from 'react';
import type { LegalData } from '#app/routes/landing/legal/load.ts';
import { SiteFooter, SiteHeader } from './header-footer.tsx';

type SitePageProps = { data: LegalData; className: string; children: ReactNode };

export const SitePage = ({ data: { isSignedIn, hasPrices }, className, children }: SitePageProps) => (
  <div className="landing">
    <a href="#main" className="skip-link">
      Skip to content
    </a>
    <SiteHeader isSignedIn={isSignedIn} promoPercent={0} hasPrices={hasPrices} />
    <main id="main" className={`site-page ${className}`}>
      {children}
    </main>
    <SiteFooter isSignedIn={isSignedIn} hasPrices={hasPrices} />
  </div>
);
