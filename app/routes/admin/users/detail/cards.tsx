import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '#app/ui/components/card.tsx';
import type { PresentedUserPage } from './present.ts';

/** An account in cards: who it is, what it paid, what it is connected to, and who asked us what. */
export const UserCards = (person: PresentedUserPage) => (
  <div className="person-cards">
    <Facts title="Account" facts={person.account} />
    <Facts title="Plan" facts={person.plan} none="No plan yet.">
      <MoreLink to={person.ledger}>Everything of the money</MoreLink>
    </Facts>
    <Facts title="LinkedIn" facts={person.connection} none="Not connected." />
    <Facts title="Automation" facts={person.automation} />
    <Lines title="Topics" none="No topics yet.">
      {person.topics.map(({ id, name, state, why }) => (
        <Line key={id} what={name} more={state} also={why} />
      ))}
    </Lines>
    <Lines title="Payments" none="Nothing was paid.">
      {person.payments.map(({ id, plan, amount, state, reference, at }) => (
        <Line key={id} what={`${plan}, ${amount}`} more={state} also={`${reference}, ${at}`} />
      ))}
    </Lines>
    <Lines title="Requests for support" none="Nothing was asked.">
      {person.tickets.map(({ id, title, status, at, to }) => (
        <Line key={id} what={title} more={status} also={at} to={to} />
      ))}
    </Lines>
    <Lines title="Sessions and tokens" none="Nobody is signed in.">
      {[
        ...person.sessions.map(({ id, device, place, at }) => (
          <Line key={id} what={device} more={at} also={place} />
        )),
        ...person.tokens.map(({ id, name, scope, at }) => (
          <Line key={id} what={name} more={at} also={`May ${scope}`} />
        )),
      ]}
    </Lines>
  </div>
);

type FactsProps = { title: string; facts: [string, string][]; none?: string; children?: ReactNode };

const Facts = ({ title, facts, none, children }: FactsProps) => (
  <Card title={title}>
    {facts.length === 0 ? (
      <p className="text-ink-3">{none}</p>
    ) : (
      <dl className="person-facts">
        {facts.map(([label, value]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    )}
    {children}
  </Card>
);

const MoreLink = ({ to, children }: { to: string; children: string }) => (
  <Link to={to} className="link inline-flex min-h-11 items-center">
    {children}
  </Link>
);

const Lines = ({ title, none, children }: { title: string; none: string; children: ReactNode[] }) => (
  <Card title={title}>
    {children.length > 0 ? (
      <ul className="person-lines">{children}</ul>
    ) : (
      <p className="text-ink-3">{none}</p>
    )}
  </Card>
);

type LineProps = { what: string; more: string; also?: string | null; to?: string };

const Line = ({ what, more, also, to }: LineProps) => (
  <li>
    <span className="min-w-0">{to ? <MoreLink to={to}>{what}</MoreLink> : what}</span>
    <span className="text-ink-2">{more}</span>
    {also && <span className="person-also">{also}</span>}
  </li>
);
