import './page.css';
import { SitePage } from '#app/routes/landing/layout.tsx';
import { loadLegal } from '#app/routes/landing/legal/load.ts';
import { canonicalLink, pageMeta } from '#app/ui/layout/meta.ts';
import type { Route } from './+types/page.ts';
import { type CallGroup, listGroups } from './present.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...pageMeta(
    'API',
    'Every call of the Tidepost API with its fields, an example to copy, and what it answers.',
  ),
  ...canonicalLink(loaderData?.address),
];

export const handle = { isStatic: true };

export const loader = async ({ context }: Route.LoaderArgs) => ({
  ...(await loadLegal(context, '/api/docs')),
  groups: listGroups(),
});

export default function ApiDocs({ loaderData }: Route.ComponentProps) {
  return (
    <SitePage data={loaderData} className="api-docs">
      <header>
        <h1>The API</h1>
        <p className="api-lead">
          Everything that the pages do, for programs of your own. JSON in, JSON out; the whole of it as{' '}
          <a href="/api/v1/openapi.json">OpenAPI 3.1</a>.
        </p>
      </header>
      <Basics />
      {loaderData.groups.map((group) => (
        <Group key={group.name} group={group} />
      ))}
    </SitePage>
  );
}

const Basics = () => (
  <section aria-labelledby="basics" className="api-basics">
    <h2 id="basics">What holds for every call</h2>
    <dl>
      <dt>Who calls</dt>
      <dd>
        Make a token on the page <a href="/app/account/tokens">API tokens</a>, to read or also to write, and
        send it as <code>Authorization: Bearer TOKEN</code>.
      </dd>
      <dt>Lists</dt>
      <dd>
        <code>limit</code> says how many, 100 at most; <code>nextCursor</code> of the answer, sent as{' '}
        <code>cursor</code>, asks for the next page.
      </dd>
      <dt>What goes wrong</dt>
      <dd>
        <code>{'{ "message", "code", "fields"? }'}</code>: a sentence for people, a word for programs, and
        which fields are not valid.
      </dd>
      <dt>Sending again</dt>
      <dd>
        Calls that create take an <code>Idempotency-Key</code>: for a day the same call with it is done once
        and answered as the first time, with <code>Idempotency-Replayed: true</code>.
      </dd>
      <dt>Too much</dt>
      <dd>
        Status 429 says with <code>Retry-After</code> for how many seconds to wait.
      </dd>
      <dt>Asking us</dt>
      <dd>
        Every answer has an <code>X-Request-Id</code>. Name it when you write to us.
      </dd>
    </dl>
  </section>
);

const Group = ({ group: { name, title, lead, calls } }: { group: CallGroup }) => (
  <section aria-labelledby={name}>
    <h2 id={name}>
      <a href={`/api/docs/${name}`}>{title}</a>
    </h2>
    <p className="api-lead">{lead}</p>
    <ul className="api-list">
      {calls.map(({ id, method, path, does }) => (
        <li key={id}>
          <a href={`/api/docs/${name}#${id}`}>
            <code>
              <b>{method}</b> {path}
            </code>
            <span>{does}</span>
          </a>
        </li>
      ))}
    </ul>
  </section>
);
