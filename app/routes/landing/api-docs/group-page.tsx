import './page.css';
import { redirect } from 'react-router';
import {
  OLD_SECRET_HOURS,
  RETRY_MINUTES,
  WEBHOOK_EVENTS,
  WEBHOOK_SECONDS,
} from '#app/domain/webhooks/limits.ts';
import { SitePage } from '#app/routes/landing/layout.tsx';
import { loadLegal } from '#app/routes/landing/legal/load.ts';
import { canonicalLink } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/group-page.ts';
import { findGroup, type PresentedCall } from './present.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  { title: `${loaderData?.group.title ?? 'API'} – API – Tidepost` },
  { name: 'description', content: `${loaderData?.group.lead}: the calls of the Tidepost API.` },
  ...canonicalLink(loaderData?.address),
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

const Call = ({ call }: { call: PresentedCall }) => (
  <section aria-labelledby={call.id} className="api-call">
    <h2 id={call.id}>{call.summary}</h2>
    <p>
      <code>
        <b>{call.method}</b> {call.path}
      </code>
    </p>
    {call.note && <p className="api-lead">{call.note}</p>}
    <Parameters call={call} />
    <Code title="Ask" text={call.curl} call={call} />
    {call.response && <Code title={`Answer ${call.success}`} text={call.response} call={call} />}
    <p className="api-lead">Refused with {call.failures}.</p>
  </section>
);

const Parameters = ({ call: { parameters } }: { call: PresentedCall }) =>
  parameters.length > 0 && (
    <dl>
      {parameters.map(({ name, location, type, isRequired }) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>
            {location}, {type}
            {isRequired ? ', required' : ''}
          </dd>
        </div>
      ))}
    </dl>
  );

/** A click selects the whole text. */
const Code = ({ title, text, call: { summary } }: { title: string; text: string; call: PresentedCall }) => (
  <figure>
    <figcaption>{title}</figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than a phone is scrolled by keyboard, too. */}
    <section tabIndex={0} aria-label={`${title}: ${summary}`} className="api-code">
      <pre>{text}</pre>
    </section>
  </figure>
);

const EXAMPLE = `import { createHmac, timingSafeEqual } from 'node:crypto';

// body: the text of the request, before it is parsed. header: Tidepost-Signature.
export function isOfTidepost(body, header, secret) {
  const parts = header.split(',').map((part) => part.split('='));
  const t = parts.find(([name]) => name === 't')?.[1];
  const isYoung = Math.abs(Date.now() / 1000 - Number(t)) < 300;
  const ours = createHmac('sha256', secret).update(\`\${t}.\${body}\`).digest();
  return isYoung && parts.some(([name, hex]) => {
    const theirs = Buffer.from(hex ?? '', 'hex');
    return name === 'v1' && theirs.length === ours.length && timingSafeEqual(theirs, ours);
  });
}`;

const minutes = RETRY_MINUTES.filter((each) => each < 60);
const hours = RETRY_MINUTES.filter((each) => each >= 60).map((each) => each / 60);

const VerifyWebhook = () => (
  <section aria-labelledby="receiving" className="api-call">
    <h2 id="receiving">What your server receives</h2>
    <p>
      A <code>POST</code> of <code>{'{ "id", "type", "createdAt", "data" }'}</code>. <code>data</code> is what
      the API answers for the thing. Answer with any 2xx within {WEBHOOK_SECONDS} seconds; otherwise it comes
      again after {minutes.join(', ')} minutes and {hours.join(', ')} hours. What came twice has the same{' '}
      <code>id</code>.
    </p>
    <dl>
      {Object.entries(WEBHOOK_EVENTS).map(([name, when]) => (
        <div key={name}>
          <dt>
            <code>{name}</code>
          </dt>
          <dd>{when}</dd>
        </div>
      ))}
    </dl>
    <p>
      <code>Tidepost-Signature: t=SECONDS,v1=HEX</code> is the HMAC-SHA256 of <code>SECONDS.BODY</code> with
      the whole secret of the webhook. For {OLD_SECRET_HOURS} hours after a new secret was made there is one{' '}
      <code>v1</code> of each.
    </p>
    <figure>
      <figcaption>Check the signature</figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than a phone is scrolled by keyboard, too. */}
      <section tabIndex={0} aria-label="Check the signature" className="api-code">
        <pre>{EXAMPLE}</pre>
      </section>
    </figure>
  </section>
);
