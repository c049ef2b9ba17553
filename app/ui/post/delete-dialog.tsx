import { ConfirmDialog } from '#app/ui/components/dialog.tsx';

type DeletePostDialogProps = {
  excerpt: string;
  deletion: { kind: string; before: string; url?: string | null };
  action: string;
  closeTo: string;
  from: string;
};

export const DeletePostDialog = ({ excerpt, deletion, action, closeTo, from }: DeletePostDialogProps) => (
  <ConfirmDialog
    failure="Failed to delete post"
    title="Delete this post?"
    body={
      <>
        <p className="mb-3 border-s-2 border-line-strong ps-3 break-words">“{excerpt}”</p>
        <p>{deletion.before}</p>
        {deletion.url && (
          <a
            href={deletion.url}
            target="_blank"
            rel="noreferrer"
            className="link inline-flex min-h-11 items-center"
          >
            Look at LinkedIn<span className="sr-only"> (opens in a new tab)</span>
          </a>
        )}
      </>
    }
    closeTo={closeTo}
    cancelLabel="Keep the post"
    confirmLabel="Delete post"
    action={action}
    fields={{ from, ...(deletion.kind === 'disconnected' && { hereOnly: 'true' }) }}
  />
);
