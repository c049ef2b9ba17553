import './page.css';
import { redirect } from 'react-router';
import { SitePage } from '#app/routes/landing/layout.tsx';
import { loadLegal } from '#app/routes/landing/legal/load.ts';
import { knownAs } from '#app/ui/layout/canonical.ts';
import type { Route } from './+types/group-page.ts';
import { type DescribedCall, findGroup } from './present.ts';
import { VerifyWebhook } from './verify-webhook.tsx';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.group.title ?? 'API'} – API – Tidepost` },
  { name: 'description', content: `${loaderData?.group.lead}: the calls of the Tidepost API.` },
  ...knownAs(loaderData?.address),
];

export const handle = { isStatic: true };

export async function loader({ context, params }: Route.LoaderArgs) {
  const group = findGroup(params.group);
  if (!group) throw redirect('/api/docs');
  return { ...(await loadLegal(context, `/api/docs/${params.group}`)), group };
}

export default function ApiGroup({ loaderData }: Route.ComponentProps) {
  const { name, title, lead, calls } = loaderData.group;
  return (
    <SitePage data={loaderData} className="api-docs">
      <header>
        <p>
          <a href="/api/docs">The API</a>
        </p>
        <h1>{title}</h1>
        <p className="api-lead">{lead}</p>
      </header>
      {name === 'webhooks' && <VerifyWebhook />}
      {calls.map((call) => (
        <Call key={call.id} call={call} />
      ))}
    </SitePage>
  );
}

const Call = ({ call }: { call: DescribedCall }) => (
  <section aria-labelledby={call.id} className="api-call">
    <h2 id={call.id}>{call.does}</h2>
    <p>
      <code>
        <b>{call.method}</b> {call.path}
      </code>
    </p>
    {call.note && <p className="api-lead">{call.note}</p>}
    <Parameters of={call} />
    <Code title="Ask" text={call.curl} of={call} />
    {call.answer && <Code title={`Answer ${call.success}`} text={call.answer} of={call} />}
    <p className="api-lead">Refused with {call.failures}.</p>
  </section>
);

const Parameters = ({ of: { parameters } }: { of: DescribedCall }) =>
  parameters.length > 0 && (
    <dl>
      {parameters.map(({ name, where, is, isRequired }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            {where}, {is}
            {isRequired ? ', required' : ''}
          </dd>
        </div>
      ))}
    </dl>
  );

type CodeProps = { title: string; text: string; of: DescribedCall };

/** One press selects the whole, to be copied. */
const Code = ({ title, text, of: { does } }: CodeProps) => (
  <figure>
    <figcaption>{title}</figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than a phone is scrolled by keyboard, too. */}
    <section tabIndex={0} aria-label={`${title}: ${does}`} className="api-code">
      <pre>{text}</pre>
    </section>
  </figure>
);
