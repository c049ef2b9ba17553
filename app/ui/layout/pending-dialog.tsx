import { Link, useLocation, useNavigate } from 'react-router';
import { useComing } from '#app/ui/form/failure/client-middleware.ts';

/** What an address says that shows a dialog. */
const ASKS = /[?&](?:dialog|reject|move|swap|help|confirm-\w+)=/;

const open = (dialog: HTMLDialogElement | null) => {
  dialog?.showModal();
  return () => dialog?.close();
};

/** Stands where a dialog of this page will, while it is on its way. */
export function ComingDialog() {
  const here = useLocation();
  const navigate = useNavigate();
  const next = useComing();
  const isComing = next?.pathname === here.pathname && ASKS.test(next.search) && !ASKS.test(here.search);
  if (!isComing) return null;
  return (
    <dialog
      ref={open}
      className="dialog coming"
      aria-label="One moment"
      aria-busy
      onCancel={() => navigate(here, { replace: true, preventScrollReset: true })}
    >
      <i />
      <i />
      <i />
      <Link to={here} replace preventScrollReset className="btn btn-ghost">
        Cancel
      </Link>
    </dialog>
  );
}
