import { createContext, type ReactNode, useContext, useState } from 'react';
import { Link, useLocation } from 'react-router';
import { RESULT_MESSAGE } from '#app/ui/layout/focus.ts';
import { Banner } from '#app/ui/layout/page.tsx';

type InlineMessage = {
  id: string;
  tone: string;
  text: string;
  at?: string | undefined;
  href?: string | undefined;
};

const InlineErrorContext = createContext<InlineMessage[]>([]);

/**
 * Keeps the messages with an `at` in the page until the user navigates. They are stored here because a revalidation brings
 * no messages, and a navigation does not always load new ones.
 */
export function InlineErrorsProvider({
  messages,
  children,
}: {
  messages: InlineMessage[];
  children: ReactNode;
}) {
  const { key } = useLocation();
  const [stored, setStored] = useState(() => ({
    key,
    seen: [] as string[],
    errors: messages.filter(({ at }) => at),
  }));
  const seen = [...stored.seen, ...stored.errors.map(({ id }) => id)];
  const fresh = messages.filter(({ id, at }) => at && !seen.includes(id));
  if (stored.key !== key || fresh.length > 0) setStored({ key, seen, errors: fresh });
  return <InlineErrorContext value={stored.errors}>{children}</InlineErrorContext>;
}

export const useHasErrors = () => useContext(InlineErrorContext).length > 0;

type ErrorsProps = { isHere: (at: string) => boolean; className?: string };

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

export const CardErrors = ({ id }: { id: string }) => <InlineErrors isHere={(at) => at === id} />;
