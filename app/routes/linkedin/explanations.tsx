import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Scope } from '#app/domain/linkedin/connect/connect.ts';
import { Card } from '#app/ui/components/card.tsx';
import { Steps } from '#app/ui/components/steps.tsx';

const STEPS = [
  {
    title: 'Connect',
    text: 'Press the button and sign in at LinkedIn. Your LinkedIn password never comes to us.',
  },
  { title: 'Allow', text: 'LinkedIn shows what we ask for, and you agree to it there.' },
  {
    title: 'We write',
    text: 'Posts about your topics are written for your plan, and you can read and change each of them.',
  },
  { title: 'We publish', text: 'Each post goes out on your profile at the time you chose.' },
];

export function HowItWorks({ isConnected }: { isConnected: boolean }) {
  const steps = STEPS.map((step, index) => ({ ...step, isDone: isConnected && index < 2 }));
  return (
    <Card title="How It Works">
      <Steps steps={steps} />
    </Card>
  );
}

export const Security = () => (
  <Card title="Security">
    <CheckList
      items={[
        'You sign in at LinkedIn itself, with its own sign-in.',
        'What LinkedIn gives us to post for you is stored encrypted.',
        'We read no messages, no contacts and no feed.',
        'You can disconnect here, or in the settings of LinkedIn, at any time.',
      ]}
    />
  </Card>
);

type GrantedScopes = { scopes: string[]; isAlive: boolean };

export const Permissions = ({ granted }: { granted: GrantedScopes | null }) => (
  <Card title="Required Permissions">
    <CheckList
      items={[
        <Permission key="profile" name="Profile access" purpose="to show whose profile is connected" />,
        <Permission key="share" name="Share on LinkedIn" purpose="to publish your posts" />,
        <Permission key="email" name="Email address" purpose="to tell your profiles apart" />,
      ]}
    />
    {granted && <Granted {...granted} />}
  </Card>
);

const PURPOSES: Record<Scope, string> = {
  openid: 'to know which member you are, so that you can connect only your own profile',
  profile: 'to read your name and picture, and show whose profile is connected',
  email: 'to read the e-mail address of your LinkedIn account, and tell your profiles apart',
  w_member_social: 'to publish your posts, and delete those that we published',
};

const Granted = ({ scopes, isAlive }: GrantedScopes) => (
  <details className="mt-3 -mb-3 border-t border-line">
    <summary className="cursor-pointer rounded-sm py-3 text-sm font-medium text-ink-2">
      {isAlive ? 'What You Have Granted' : 'What You Had Granted'}
    </summary>
    <dl className="grid gap-2 pb-4 text-sm">
      {scopes.map((scope) => (
        <div key={scope}>
          <dt className="font-mono">{scope}</dt>
          <dd className="text-ink-2">{PURPOSES[scope as Scope] ?? 'is not used by us'}</dd>
        </div>
      ))}
    </dl>
  </details>
);

const Permission = ({ name, purpose }: { name: string; purpose: string }) => (
  <>
    <span className="font-semibold">{name}</span> <span className="text-ink-2">{purpose}</span>
  </>
);

const CheckList = ({ items }: { items: ReactNode[] }) => (
  <ul className="grid gap-3">
    {items.map((item, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: The list never changes.
      <li key={index} className="flex gap-3">
        <Check aria-hidden size={20} className="mt-0.5 shrink-0 text-brand" />
        <span>{item}</span>
      </li>
    ))}
  </ul>
);
