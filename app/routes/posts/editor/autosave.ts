import { useEffect, useState } from 'react';
import { useFetcher } from 'react-router';
import { AUTOSAVE } from '#app/routes/posts/params.ts';
import { registerSubmission } from '#app/ui/form/failure/client-middleware.ts';
import { type EditorFields, type Errors, type SaveResult, Saver, type SavingState } from './saver.ts';

const NOT_SAVED = { at: null, isUnsaved: false, isLost: false };

type SavingInput = {
  address: string;
  initial: EditorFields;
  revision: number;
  result?: { error?: Errors | null };
};

export function useSaving({ address, initial, revision, result }: SavingInput) {
  const [saving, setSaving] = useState<SavingState>({
    ...NOT_SAVED,
    errors: result?.error ?? null,
    revision: `${revision}`,
  });
  const [saver] = useState(() => new Saver(initial, `${revision}`));
  const { submit, state, data } = useFetcher<SaveResult>();
  useEffect(() => {
    const to = new URL(`${address}&${AUTOSAVE}`, window.location.href);
    const action = to.pathname + to.search;
    const onFailure = (_lack: unknown, refusal?: string) =>
      saver.receive(refusal ? { error: { '': [refusal] } } : { isLost: true });
    saver.submit = (fields, baseRevision) => {
      if (registerSubmission(to, onFailure, 'quiet'))
        void submit(
          { ...fields, revision: baseRevision },
          { method: 'post', action, defaultShouldRevalidate: false },
        );
    };
    saver.onChange = (change) => setSaving((current) => ({ ...current, ...change }));
  }, [saver, submit, address]);
  useEffect(() => {
    if (state === 'idle' && data && saver.isBusy) saver.receive(data);
  }, [saver, state, data]);
  // Submits after `saving` is rendered: the form still counts as unsaved before.
  useEffect(() => {
    if (saving && saver.isClosing && !saver.isBusy) saver.form?.requestSubmit();
  }, [saver, saving]);
  useEffect(() => {
    if (result?.error) saver.onRefused(result.error);
  }, [saver, result]);
  useEffect(() => {
    saver.start();
    addEventListener('online', saver.onInput);
    return () => {
      removeEventListener('online', saver.onInput);
      saver.end();
    };
  }, [saver]);
  return { ...saving, isSaving: state !== 'idle', saver };
}
