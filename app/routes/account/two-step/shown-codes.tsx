import { Printer } from 'lucide-react';
import { AccountPage } from '#app/routes/account/layout.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { CopyButton } from '#app/ui/components/copy-button.tsx';
import { Button, ButtonLink } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';
import { useHydrated } from '#app/ui/use-hydrated.ts';

export function RecoveryCodes({ codes }: { codes: string[] }) {
  const isHydrated = useHydrated();
  const text = ['Recovery codes for Tidepost. Each works once.', '', ...codes, ''].join('\n');
  return (
    <AccountPage current="security" description="For the day on which your phone or key is lost.">
      <Card
        title="Your recovery codes"
        description="Each of them signs you in once, in place of your second step."
      >
        <Banner tone="warning" title="Keep them now">
          They are shown this once. Whoever has one and your password can sign in as you.
        </Banner>
        <ul className="mt-4 mb-4 grid gap-2" aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div className="flex flex-wrap gap-3">
          <CopyButton text={text} label="the recovery codes" />
          <a
            href={`data:text/plain;charset=utf-8,${encodeURIComponent(text)}`}
            download="tidepost-recovery-codes.txt"
            className="btn btn-secondary btn-sm"
          >
            Download as text
          </a>
          {isHydrated && (
            <Button variant="secondary" size="sm" onClick={() => window.print()}>
              <Printer aria-hidden size={16} />
              Print
            </Button>
          )}
        </div>
        <ButtonLink to="/app/account/security" className="mt-6">
          I have kept them
        </ButtonLink>
      </Card>
    </AccountPage>
  );
}
