import { History } from 'lucide-react';
import { Link } from 'react-router';
import { versionsAddress } from '#app/routes/actions.ts';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { Piece } from './diff.ts';
import type { Rewritten } from './load.ts';

type VersionCardProps = {
  postId: string;
  version: Rewritten['versions'][number];
  /** The text of the post cannot change any more. */
  isFixed: boolean;
};

/** One text beside the one that the post has now, or the way to open it. */
export function VersionCard({ postId, version, isFixed }: VersionCardProps) {
  const { id, pair } = version;
  const at = `version-${id}`;
  const anchor = useHydrated() ? '' : `#${at}`;
  return (
    <li className="card" id={at} tabIndex={-1}>
      {pair ? (
        <details open>
          <summary className="version-head">
            <Head version={version} />
          </summary>
          <div className="version-pair">
            <Side title="This version" pieces={pair.one} />
            <Side title="As it stands" pieces={pair.other} />
          </div>
          {!isFixed && <Restore postId={postId} version={version} />}
        </details>
      ) : (
        <Link to={`?version=${id}${anchor}`} preventScrollReset className="version-head">
          <Head version={version} />
        </Link>
      )}
    </li>
  );
}

type OfVersion = Pick<VersionCardProps, 'version'>;

const Head = ({ version: { opening, kept } }: OfVersion) => (
  <>
    <span className="version-opening" dir="auto">
      {opening}
    </span>
    <span className="text-sm text-ink-3">{kept}</span>
  </>
);

const Restore = ({ postId, version: { id, opening } }: OfVersion & { postId: string }) => (
  <ActionForm action={`${versionsAddress(postId)}/${id}`} failure="Failed to update post" className="mt-4">
    <SubmitButton size="sm" variant="secondary" busyLabel="Restoring…">
      <History aria-hidden size={16} />
      Use this version
      <span className="sr-only"> “{opening.slice(0, 40)}”</span>
    </SubmitButton>
  </ActionForm>
);

const Side = ({ title, pieces }: { title: string; pieces: Piece[] }) => (
  <div className="min-w-0">
    <h3 className="mb-2 text-sm font-semibold text-ink-2">{title}</h3>
    <p className="version-text">
      {pieces.map(({ text, isOnlyHere }, at) =>
        // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one text never change their order.
        isOnlyHere ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
    </p>
  </div>
);
