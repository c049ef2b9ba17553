import { History } from 'lucide-react';
import { ActionForm } from '#app/ui/action-form.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { versionsAddress } from '../verbs.ts';
import type { Piece } from './compare.ts';
import type { Rewritten } from './load-rewriting.ts';

type VersionCardProps = {
  postId: string;
  version: Rewritten['versions'][number];
  isFirst: boolean;
  /** The text of the post cannot change any more. */
  isFixed: boolean;
};

/** One text beside the one that the post has now. */
export function VersionCard({ postId, version, isFirst, isFixed }: VersionCardProps) {
  const { id, keptAt, opening, one, other } = version;
  return (
    <li className="card" id={`version-${id}`}>
      <details open={isFirst}>
        <summary className="version-head">
          <span className="version-opening">{opening}</span>
          <span className="text-sm text-ink-3">Kept {keptAt}</span>
        </summary>
        <div className="version-pair">
          <Side title="This version" pieces={one} />
          <Side title="As it stands" pieces={other} />
        </div>
        {!isFixed && (
          <ActionForm
            action={`${versionsAddress(postId)}/${id}`}
            failure="Failed to update post"
            className="mt-4"
          >
            <SubmitButton size="sm" variant="secondary" busyLabel="Restoring…">
              <History aria-hidden size={16} />
              Use this version
              <span className="sr-only"> “{opening.slice(0, 40)}”</span>
            </SubmitButton>
          </ActionForm>
        )}
      </details>
    </li>
  );
}

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
