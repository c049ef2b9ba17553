import './legal.css';
import type { ReactNode } from 'react';
import { SitePage } from '#app/routes/landing/layout.tsx';
import type { LegalData } from './load.ts';

export const MailTo = ({ address }: { address: string }) => <a href={`mailto:${address}`}>{address}</a>;

type LegalPageProps = { data: LegalData; title: string; lead: ReactNode; children: ReactNode };

export const LegalPage = ({ data, title, lead, children }: LegalPageProps) => (
  <SitePage data={data} className="legal">
    <h1>{title}</h1>
    <p>{lead}</p>
    {children}
  </SitePage>
);
