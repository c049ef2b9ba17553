import { Link } from 'react-router';

/** How things stand, and where it is mended; without `label` another button of the page calls for that. */
export type PageStatus = {
  tone: 'accent' | 'warning' | 'danger';
  title?: string | undefined;
  text: string;
  to?: string | undefined;
  label?: string | undefined;
};

/** The one line above a page that says how things stand. */
export function StatusBanner({ tone, title, text, to, label }: PageStatus) {
  const className = `status-banner is-${tone}`;
  const words = (
    <span>
      {title && <span className="font-semibold">{`${title}. `}</span>}
      {text}
    </span>
  );
  if (!to) return <p className={className}>{words}</p>;
  return (
    <Link to={to} className={className}>
      {words}
      {label && <span className="status-cta">{label}</span>}
    </Link>
  );
}
