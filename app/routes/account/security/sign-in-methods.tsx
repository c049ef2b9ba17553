import { KeyRound } from 'lucide-react';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { formAt } from '#app/routes/account/profile/paths.ts';
import { Card } from '#app/ui/components/card.tsx';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { ProviderMark } from '#app/ui/components/provider-mark.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { CardErrors } from '#app/ui/messages/inline-notices.tsx';
import type { Methods } from './load.ts';

const METHODS = 'sign-in-methods';
const PAGE = '/app/account/security';

/** The only sign-in method of an account can't be unlinked. */
export function SignInMethods({ email, hasPassword, providers }: Methods) {
  const confirmed = useSearchParams()[0].get('confirm-unlink');
  const unlinking = providers.find(({ provider, linked }) => linked && provider === confirmed);
  return (
    <Card id={METHODS} title="Sign-in methods" description="Each of these signs you in to this account.">
      <CardErrors id={METHODS} />
      <ul>
        <Row
          mark={<KeyRound aria-hidden size={18} />}
          title="Email and password"
          text={hasPassword ? email : 'You have no password here.'}
        >
          {!hasPassword && (
            <ButtonLink to={formAt('password', 'password')} variant="secondary" size="sm">
              Set a password
            </ButtonLink>
          )}
        </Row>
        {providers.map((method) => (
          <ProviderRow key={method.provider} {...method} />
        ))}
      </ul>
      {unlinking && <UnlinkDialog provider={unlinking.provider} name={unlinking.name} />}
    </Card>
  );
}

type ProviderRowProps = Methods['providers'][number];

const ProviderRow = ({ provider, name, linked }: ProviderRowProps) => (
  <Row
    mark={<ProviderMark provider={provider} />}
    title={name}
    text={
      linked
        ? `${linked.email ?? 'Linked'}, since ${linked.since}.${linked.isOnly ? ' Your only way in.' : ''}`
        : 'Not linked.'
    }
  >
    {linked && !linked.isOnly && (
      <ButtonLink to={`?confirm-unlink=${provider}`} preventScrollReset variant="secondary" size="sm">
        Unlink<span className="sr-only"> {name}</span>
      </ButtonLink>
    )}
    {!linked && (
      <ActionForm action={`${PAGE}/link`} fields={{ provider }} failure={`Failed to link ${name}`}>
        <SubmitButton variant="secondary" size="sm" busyLabel={`Opening ${name}…`}>
          Link<span className="sr-only"> {name}</span>
        </SubmitButton>
      </ActionForm>
    )}
  </Row>
);

type RowProps = { mark: ReactNode; title: string; text: string; children: ReactNode };

const Row = ({ mark, title, text, children }: RowProps) => (
  <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t border-line py-3 first:border-t-0 first:pt-0 last:pb-0">
    {mark}
    <div className="min-w-0 flex-1 basis-40">
      <h3 className="font-medium">{title}</h3>
      <p className="text-sm break-words text-ink-2">{text}</p>
    </div>
    {children}
  </li>
);

const UnlinkDialog = ({ provider, name }: Pick<ProviderRowProps, 'provider' | 'name'>) => (
  <ConfirmDialog
    failure={`Failed to unlink ${name}`}
    title={`Unlink ${name}?`}
    body={`${name} signs you in to this account no longer. You can link it again at any time.`}
    closeTo={PAGE}
    confirmLabel={`Unlink ${name}`}
    action={`${PAGE}/unlink`}
    fields={{ provider }}
  />
);
