import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { useSubmit } from 'react-router';
import { canUsePasskeys, NoPasskey, signWithPasskey } from '#app/ui/components/webauthn.ts';
import { Button } from '#app/ui/form/button.tsx';
import { FormAlert } from '#app/ui/form/errors.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';

type PasskeyButtonProps = {
  step: 'alone' | 'second';
  label: string;
  to?: string | undefined;
  autoFocus?: boolean;
};

/** Signs in with a passkey, alone or as the second step. Not shown where scripts or passkeys are missing. */
export function PasskeyButton({ step, label, to = '', autoFocus }: PasskeyButtonProps) {
  const isHydrated = useHydrated();
  const submit = useSubmit();
  const [isBusy, setBusy] = useState(false);
  const [errors, setErrors] = useState<string[]>([]);
  if (!isHydrated || !canUsePasskeys()) return null;
  const press = async () => {
    setBusy(true);
    setErrors([]);
    try {
      const response = await signWithPasskey('/login/passkey', { step });
      await submit({ response, step, to }, { method: 'post', action: '/login/passkey' });
    } catch (error) {
      if (!(error instanceof NoPasskey)) throw error;
      setErrors([error.message]);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div className="mt-3 grid gap-3">
      <FormAlert id="passkey-error" errors={errors} />
      <Button variant="secondary" className="w-full" isBusy={isBusy} autoFocus={autoFocus} onClick={press}>
        <KeyRound aria-hidden size={18} />
        {label}
      </Button>
    </div>
  );
}
