import { Link, type To } from 'react-router';

export type Tab = { to: To; label: string; isCurrent: boolean };

/** Tabs that are links: each has its own address. */
export function TabLinks({ tabs, label = 'Sections' }: { tabs: Tab[]; label?: string }) {
  return (
    <nav aria-label={label} className="tabs">
      {tabs.map((tab) => (
        <Link
          key={tab.label}
          to={tab.to}
          preventScrollReset
          aria-current={tab.isCurrent ? 'page' : undefined}
        >
          {tab.label}
        </Link>
      ))}
    </nav>
  );
}
