import '#app/ui/form/form.css';
import './page.css';
import { Plus } from 'lucide-react';
import { redirect } from 'react-router';
import { viewerContext } from '#app/context.ts';
import { db } from '#app/db/client.ts';
import { RESPONSE_HOURS, TICKET_SEARCH_MAX } from '#app/domain/support/limits.ts';
import { TicketInput } from '#app/domain/support/schema.ts';
import { submitTicket } from '#app/domain/support/tickets.ts';
import { hasSucceeded, setFlash } from '#app/http/forms/flash.ts';
import { formDataOf } from '#app/http/forms/read-form.ts';
import { returnPathFrom } from '#app/http/forms/redirect-back.ts';
import { submit } from '#app/http/forms/submit.ts';
import { limitAccount, limitSupportRequest } from '#app/http/rate-limit.ts';
import { SupportForm } from '#app/routes/help/support-form.tsx';
import { SitePage } from '#app/routes/landing/layout.tsx';
import { loadLegal } from '#app/routes/landing/legal/load.ts';
import { Button } from '#app/ui/form/button.tsx';
import { canonicalLink, pageMeta } from '#app/ui/layout/meta.ts';
import { Banner } from '#app/ui/layout/page.tsx';
import type { Route } from './+types/page.ts';
import type { AnswerGroup } from './questions.ts';
import { searchAnswers } from './search.ts';

export const meta: Route.MetaFunction = ({ loaderData }) => [
  ...pageMeta(
    'Help',
    `Answers about posts, LinkedIn, plans and your account, and a form that reaches us 24/7. We reply within ${RESPONSE_HOURS} hours.`,
  ),
  ...canonicalLink(loaderData?.address),
];

export const handle = { isStatic: true };

export async function loader({ context, request }: Route.LoaderArgs) {
  const { searchParams } = new URL(request.url);
  const searchText = (searchParams.get('q') ?? '').slice(0, TICKET_SEARCH_MAX);
  const sent = /^\d{1,10}$/.exec(searchParams.get('sent') ?? '')?.[0] ?? null;
  const actor = context.get(viewerContext)?.actor;
  const asker = actor ? { name: actor.name, email: actor.email } : null;
  // The URL alone proves nothing: anyone can make or share it.
  const hasArrived = sent !== null && hasSucceeded(context, '/help');
  const legal = await loadLegal(context, '/help');
  return { ...legal, searchText, sent, hasArrived, asker, groups: searchAnswers(searchText) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const actor = context.get(viewerContext)?.actor ?? null;
  const back = returnPathFrom(formDataOf(context), 'back');
  return submit({ context }, TicketInput, async (input) => {
    await (actor ? limitAccount('ask', actor.userId) : limitSupportRequest(request, input.email));
    const { number } = await submitTicket(db(), actor, input);
    setFlash(context, 'success', "Support request submitted! We'll reply via email soon.");
    return redirect(back ?? `/help?sent=${number}#support`);
  });
}

export default function Help({ loaderData, actionData }: Route.ComponentProps) {
  const { searchText, groups } = loaderData;
  return (
    <SitePage data={loaderData} className="help">
      <header>
        <h1>Help</h1>
        <p className="help-lead">
          Find the answer here, or write to us: support is there 24/7, and we reply within {RESPONSE_HOURS}{' '}
          hours.
        </p>
        <HelpSearch searchText={searchText} />
      </header>
      <HelpAnswers searchText={searchText} groups={groups} />
      <SupportSection data={loaderData} result={actionData} />
    </SitePage>
  );
}

type SupportSectionProps = {
  data: Route.ComponentProps['loaderData'];
  result: Route.ComponentProps['actionData'];
};

const SupportSection = ({ data: { asker, sent, hasArrived }, result }: SupportSectionProps) => (
  <section id="support" tabIndex={-1} className="help-ask" aria-labelledby="support-title">
    <h2 id="support-title">Get Support</h2>
    {hasArrived && (
      <Banner tone="success" className="mt-4">
        Your request has arrived. Its number is #{sent}, and our answer comes by mail.
      </Banner>
    )}
    <p>
      Tell us what you wanted to do and what happened instead. We reply by mail within {RESPONSE_HOURS} hours.
    </p>
    <SupportForm key={sent} asker={asker} result={result} />
    {asker && (
      <p className="help-ways">
        <a href="/app/support" className="help-more">
          Your requests
        </a>
        <a href="/app/feedback?dialog=feedback" className="help-more">
          Give Feedback
        </a>
      </p>
    )}
  </section>
);

const HelpSearch = ({ searchText }: { searchText: string }) => (
  <search>
    <form method="get" action="/help" className="help-search">
      <label htmlFor="q" className="sr-only">
        Search the answers
      </label>
      <input
        id="q"
        type="search"
        name="q"
        defaultValue={searchText}
        placeholder="Search the answers"
        className="input"
        dir="auto"
      />
      <Button type="submit" variant="secondary">
        Search
      </Button>
    </form>
  </search>
);

const Group = ({ title, answers, isOpen }: AnswerGroup & { isOpen: boolean }) => (
  <section>
    {title && <h2>{title}</h2>}
    {answers.map(({ question, answer, to, label }) => (
      <details key={question} open={isOpen}>
        <summary>
          {question}
          <Plus aria-hidden size={20} />
        </summary>
        <div>
          <p>{answer}</p>
          <a href={to} className="help-more">
            {label}
          </a>
        </div>
      </details>
    ))}
  </section>
);

const countAnswers = (count: number) => (count === 1 ? '1 answer' : `${count} answers`);

function HelpAnswers({ searchText, groups }: { searchText: string; groups: AnswerGroup[] }) {
  const count = groups.reduce((sum, { answers }) => sum + answers.length, 0);
  const isSearch = searchText.trim() !== '';
  return (
    <div className="help-answers">
      {isSearch && (
        <p role="status">
          {count === 0
            ? `No answer has “${searchText}”. Write to us.`
            : `${countAnswers(count)} for “${searchText}”.`}{' '}
          <a href="/help" className="help-more">
            Show all
          </a>
        </p>
      )}
      {groups.map((group) => (
        <Group key={group.title} {...group} isOpen={isSearch && count < 4} />
      ))}
    </div>
  );
}
