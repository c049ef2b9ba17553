import { Link } from 'react-router';

type PageLinksProps = { first: string | null; firstLabel: string; next: string | null; nextLabel: string };

export const PageLinks = ({ first, firstLabel, next, nextLabel }: PageLinksProps) =>
  (first || next) && (
    <p className="mt-4 flex flex-wrap gap-x-6">
      {first && (
        <Link to={first} className="link inline-flex min-h-11 items-center">
          {firstLabel}
        </Link>
      )}
      {next && (
        <Link to={next} className="link inline-flex min-h-11 items-center">
          {nextLabel}
        </Link>
      )}
    </p>
  );
