import type { ComponentProps } from 'react';
import { Link, type To } from 'react-router';

type Tab = { to: To; label: string; isCurrent: boolean };

type TabLinksProps = ComponentProps<'nav'> & { tabs: Tab[]; label?: string };

export function TabLinks({ tabs, label = 'Sections', ...props }: TabLinksProps) {
  return (
    <nav {...props} aria-label={label} className="tabs">
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
