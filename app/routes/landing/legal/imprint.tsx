import { canonicalLink, pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/imprint.ts';
import { LegalPage, MailTo } from './layout.tsx';
import { loadLegal } from './load.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...pageMeta('Imprint', 'Who runs Tidepost and answers for it, and where to write to us.'),
  ...canonicalLink(loaderData?.address),
];

export const handle = { isStatic: true };

export const loader = ({ context }: Route.LoaderArgs) => loadLegal(context, '/imprint');

export default function Imprint({ loaderData }: Route.ComponentProps) {
  const { name, address, taxId, email } = loaderData.seller;
  return (
    <LegalPage
      data={loaderData}
      title="Imprint"
      lead="Who runs this service and answers for what stands here."
    >
      <h2>Provider</h2>
      <address>
        {[name, ...address].map((line) => (
          <span key={line} className="block">
            {line}
          </span>
        ))}
      </address>
      {taxId && <p>Tax number: {taxId}</p>}
      <h2>Contact</h2>
      <p>
        Write to <MailTo address={email} /> about anything that concerns this service.
      </p>
      <h2>LinkedIn</h2>
      <p>
        Tidepost is an independent product. It is neither made nor endorsed by LinkedIn Corporation, whose
        trademark LinkedIn is.
      </p>
    </LegalPage>
  );
}
