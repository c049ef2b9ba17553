import { useEffect, useState } from 'react';
import { useFetcher } from 'react-router';
import { BY_ITSELF } from '#app/routes/posts/params.ts';
import { registerSubmission } from '#app/ui/form/failure/client-middleware.ts';
import { type Answer, type Errors, Saver, type Saving, type Typed } from './saver.ts';

const NEW = { at: null, isUnsaved: false, isLost: false };

type Began = { address: string; typed: Typed; revision: number; result?: { error?: Errors | null } };

/** Saves the form automatically, and returns its saving state. */
export function useSaving({ address, typed, revision, result }: Began) {
  const [saving, setSaving] = useState<Saving>({
    ...NEW,
    errors: result?.error ?? null,
    from: `${revision}`,
  });
  const [saver] = useState(() => new Saver(typed, `${revision}`));
  const { submit, state, data } = useFetcher<Answer>();
  useEffect(() => {
    const to = new URL(`${address}&${BY_ITSELF}`, window.location.href);
    const action = to.pathname + to.search;
    const say = (_lack: unknown, refusal?: string) =>
      saver.hear(refusal ? { error: { '': [refusal] } } : { isLost: true });
    saver.submit = (said, from) => {
      if (registerSubmission(to, say, 'quiet'))
        void submit({ ...said, revision: from }, { method: 'post', action, defaultShouldRevalidate: false });
    };
    saver.tell = (change) => setSaving((before) => ({ ...before, ...change }));
  }, [saver, submit, address]);
  useEffect(() => {
    if (state === 'idle' && data && saver.isBusy) saver.hear(data);
  }, [saver, state, data]);
  // After `saving` is on the page: a form that is left too soon is one with something unsaved.
  useEffect(() => {
    if (saving && saver.isClosing && !saver.isBusy) saver.form?.requestSubmit();
  }, [saver, saving]);
  useEffect(() => {
    if (result?.error) saver.onRefused(result.error);
  }, [saver, result]);
  useEffect(() => {
    saver.start();
    addEventListener('online', saver.follow);
    return () => {
      removeEventListener('online', saver.follow);
      saver.end();
    };
  }, [saver]);
  return { ...saving, isSaving: state !== 'idle', saver };
}
