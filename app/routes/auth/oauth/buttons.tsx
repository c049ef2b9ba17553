import { PROVIDER_NAMES } from '#app/domain/accounts/limits.ts';
import { TimeZoneInput } from '#app/routes/auth/sign-up/time-zone-input.tsx';
import { ProviderMark } from '#app/ui/components/provider-mark.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { SubmitButton } from '#app/ui/form/button.tsx';

type Provider = keyof typeof PROVIDER_NAMES;

type SocialButtonsProps = { providers: Provider[]; from: 'login' | 'signup'; to?: string | undefined };

export function SocialButtons({ providers, from, to }: SocialButtonsProps) {
  const query = new URLSearchParams({ from, ...(to ? { to } : {}) });
  return (
    <div className="flex flex-wrap gap-3">
      {providers.map((provider) => (
        <ActionForm
          key={provider}
          action={`/auth/${provider}?${query}`}
          failure={`Failed to initiate ${PROVIDER_NAMES[provider]} ${from}`}
          className="flex-1 basis-32"
        >
          <TimeZoneInput />
          <SubmitButton
            variant="secondary"
            className="w-full"
            busyLabel={`Opening ${PROVIDER_NAMES[provider]}…`}
          >
            <ProviderMark provider={provider} />
            <span>
              <span className="sr-only">{from === 'login' ? 'Sign in with ' : 'Sign up with '}</span>
              {PROVIDER_NAMES[provider]}
            </span>
          </SubmitButton>
        </ActionForm>
      ))}
    </div>
  );
}

export const ContinueWithProvider = (props: SocialButtonsProps) =>
  props.providers.length > 0 && (
    <>
      <p className="my-3 text-center text-sm text-ink-2">or continue with</p>
      <SocialButtons {...props} />
    </>
  );
