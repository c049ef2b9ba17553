import { LoaderCircle } from 'lucide-react';
import { Button } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';
import type { useSaving } from './autosave.ts';

type Saving = { saving: ReturnType<typeof useSaving> };

/** Whether everything is saved, and since when. */
export const SavedAt = ({ saving }: Saving) => {
  const isHydrated = useHydrated();
  return <p className="text-sm text-ink-3 tabular-nums">{statusText(saving) || (isHydrated && BY_ITSELF)}</p>;
};

const BY_ITSELF = 'Saves by itself';

function statusText({ isSaving, isUnsaved, isLost, errors, at }: Saving['saving']) {
  if (isSaving) {
    return (
      <>
        <LoaderCircle aria-hidden className="spinner me-1 inline" size={14} />
        Saving…
      </>
    );
  }
  const isRefused = isLost || Object.keys(errors ?? {}).length > 0;
  if (isRefused) return 'Not saved';
  if (isUnsaved) return 'Not saved yet';
  return at && `Saved ${at}`;
}

const LOST = 'Tidepost did not answer. Your text is still here';

/** Why what is typed is not saved, and what helps. */
export function SaveTrouble({ saving, formErrors }: Saving & { formErrors: string[] | undefined }) {
  const { isLost, errors, isSaving, saver } = saving;
  const isHydrated = useHydrated();
  const conflict = errors?.revision ?? [];
  const lost = conflict.length > 0 ? LOST : `${LOST}, and we keep trying to save it`;
  const said = isLost ? [lost] : [...((!formErrors && errors?.['']) || []), ...conflict];
  if (said.length === 0) return null;
  return (
    <div role="alert">
      <Banner
        tone="danger"
        title={said.join('. ')}
        action={
          isHydrated && (
            <Button size="sm" variant="secondary" isBusy={isSaving} onClick={saver.send}>
              {conflict.length > 0 ? 'Save mine instead' : 'Retry'}
            </Button>
          )
        }
      />
    </div>
  );
}
