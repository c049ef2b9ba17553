import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Card } from '#app/ui/components/card.tsx';
import type { PresentedUserPage } from './present.ts';

export const UserCards = (user: PresentedUserPage) => (
  <div className="person-cards">
    <Facts title="Account" facts={user.account} />
    <Facts title="Plan" facts={user.plan} none="No plan yet.">
      <MoreLink to={user.ledger}>Everything of the money</MoreLink>
    </Facts>
    <Facts title="LinkedIn" facts={user.connection} none="Not connected." />
    <Facts title="Automation" facts={user.automation} />
    <Lines title="Topics" none="No topics yet.">
      {user.topics.map(({ id, name, state, reason }) => (
        <Line key={id} title={name} status={state} detail={reason} />
      ))}
    </Lines>
    <Lines title="Payments" none="Nothing was paid.">
      {user.payments.map(({ id, plan, amount, state, reference, at }) => (
        <Line key={id} title={`${plan}, ${amount}`} status={state} detail={`${reference}, ${at}`} />
      ))}
    </Lines>
    <Lines title="Requests for support" none="Nothing was asked.">
      {user.tickets.map(({ id, title, status, at, to }) => (
        <Line key={id} title={title} status={status} detail={at} to={to} />
      ))}
    </Lines>
    <Lines title="Sessions and tokens" none="Nobody is signed in.">
      {[
        ...user.sessions.map(({ id, device, place, at }) => (
          <Line key={id} title={device} status={at} detail={place} />
        )),
        ...user.tokens.map(({ id, name, scope, at }) => (
          <Line key={id} title={name} status={at} detail={`May ${scope}`} />
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

type LineProps = { title: string; status: string; detail?: string | null; to?: string };

const Line = ({ title, status, detail, to }: LineProps) => (
  <li>
    <span className="min-w-0">{to ? <MoreLink to={to}>{title}</MoreLink> : title}</span>
    <span className="text-ink-2">{status}</span>
    {detail && <span className="person-also">{detail}</span>}
  </li>
);
