import './site-frame.css';
import './legal.css';
import type { ReactNode } from 'react';
import type { LegalData } from './load-legal.ts';
import { SiteFooter, SiteHeader } from './site-frame.tsx';

export const MailTo = ({ address }: { address: string }) => <a href={`mailto:${address}`}>{address}</a>;

type LegalPageProps = { data: LegalData; title: string; lead: ReactNode; children: ReactNode };

export function LegalPage({ data, title, lead, children }: LegalPageProps) {
  const { isSignedIn, hasPrices } = data;
  return (
    <div className="landing">
      <a href="#main" className="skip-link">
        Skip to content
      </a>
      <SiteHeader isSignedIn={isSignedIn} promoPercent={0} hasPrices={hasPrices} />
      <main id="main" className="legal">
        <h1>{title}</h1>
        <p>{lead}</p>
        {children}
      </main>
      <SiteFooter isSignedIn={isSignedIn} hasPrices={hasPrices} />
    </div>
  );
}
