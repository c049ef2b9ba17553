import { Link } from 'react-router';

/** `to`: where to fix it. Without `label`, another button of the page leads there. */
export type PageStatus = {
  tone: 'accent' | 'warning' | 'danger';
  title?: string | undefined;
  text: string;
  to?: string | undefined;
  label?: string | undefined;
};

export function StatusBanner({ tone, title, text, to, label }: PageStatus) {
  const className = `status-banner is-${tone}`;
  const message = (
    <span>
      {title && <span className="font-semibold">{`${title}. `}</span>}
      {text}
    </span>
  );
  if (!to) return <p className={className}>{message}</p>;
  return (
    <Link to={to} className={className}>
      {message}
      {label && <span className="status-cta">{label}</span>}
    </Link>
  );
}
