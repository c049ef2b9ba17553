import { createContext, type ReactNode, useContext, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { RESULT_MESSAGE } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';

type InlineError = {
  id: string;
  tone: string;
  text: string;
  at?: string | undefined;
  href?: string | undefined;
};

const InlineErrorContext = createContext<InlineError[]>([]);

/**
 * Keeps the notices that name a place, most of them errors, in the page until its reader goes on. A page that is brought up to date
 * meanwhile brings no notices, and one that is left does not always ask for new ones.
 */
export function InlineErrorsProvider({ notices, children }: { notices: InlineError[]; children: ReactNode }) {
  const { key } = useLocation();
  const [kept, setKept] = useState(() => ({
    key,
    seen: [] as string[],
    errors: notices.filter(({ at }) => at),
  }));
  const seen = [...kept.seen, ...kept.errors.map(({ id }) => id)];
  const fresh = notices.filter(({ id, at }) => at && !seen.includes(id));
  if (kept.key !== key || fresh.length > 0) setKept({ key, seen, errors: fresh });
  return <InlineErrorContext value={kept.errors}>{children}</InlineErrorContext>;
}

/** Whether there is an error that somebody may still be reading. */
export const useHasErrors = () => useContext(InlineErrorContext).length > 0;

type ErrorsProps = { isHere: (at: string) => boolean; className?: string };

/** The errors of some places in the page. */
export function InlineErrors({ isHere, className }: ErrorsProps) {
  const errors = useContext(InlineErrorContext).filter(({ at }) => at && isHere(at));
  const { pathname, search } = useLocation();
  return errors.map(({ id, tone, text, href }) => (
    <Banner
      key={id}
      tone={tone === 'error' ? 'danger' : 'info'}
      className={className}
      action={
        <Link to={pathname + search} replace preventScrollReset className="btn btn-sm btn-ghost">
          Dismiss
        </Link>
      }
    >
      <span {...RESULT_MESSAGE}>{text}</span>{' '}
      {href && (
        <a href={href} target="_blank" rel="noreferrer" className="link">
          Look at LinkedIn<span className="sr-only"> (opens in a new tab)</span>
        </a>
      )}
    </Banner>
  ));
}

/** What went wrong with the thing that a card is about. */
export const CardErrors = ({ id }: { id: string }) => <InlineErrors isHere={(at) => at === id} />;
