import { ButtonLink } from '#app/ui/form/button.tsx';
import { Banner } from '#app/ui/layout/page.tsx';

type PaymentBannersProps = {
  checking: string | null;
  renewal: { title: string; text: string; to: string } | null;
  ended: { title: string; text: string } | null;
};

/** What a payment or a plan waits for. */
export function PaymentBanners({ checking, renewal, ended }: PaymentBannersProps) {
  if (checking) {
    return (
      <Banner tone="warning" title="Payment pending" className="mb-6">
        {checking}
      </Banner>
    );
  }
  if (ended) {
    const renew = (
      <ButtonLink to="/dashboard" size="sm">
        Renew Now
      </ButtonLink>
    );
    return (
      <Banner tone="danger" title={ended.title} className="mb-6" action={renew}>
        {ended.text}
      </Banner>
    );
  }
  if (!renewal) return null;
  const renew = (
    <ButtonLink to={renewal.to} size="sm">
      Renew
    </ButtonLink>
  );
  return (
    <Banner tone="info" title={renewal.title} className="mb-6" action={renew}>
      {renewal.text}
    </Banner>
  );
}
