import { Pencil, ScrollText, Trash2 } from 'lucide-react';
import { Form, Link, redirect, useSearchParams } from 'react-router';
import { db } from '#app/db/client.ts';
import { addFact, changeFact } from '#app/domain/voice/fact-list.ts';
import { FACT_KINDS } from '#app/domain/voice/limits.ts';
import { FactInput } from '#app/domain/voice/schema.ts';
import { setFlash } from '#app/http/forms/flash.ts';
import { submit } from '#app/http/forms/submit.ts';
import { actorOf } from '#app/http/session/session.ts';
import { voiceAddress } from '#app/routes/actions.ts';
import { AnswerQuestions, NextStepLink } from '#app/routes/voice/next-steps.tsx';
import { FACTS, VoiceTabs } from '#app/routes/voice/tabs.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { Card } from '#app/ui/components/card.tsx';
import { ConfirmDialog } from '#app/ui/components/dialog.tsx';
import { Pager } from '#app/ui/components/pager.tsx';
import { pageMeta } from '#app/ui/layout/meta.ts';
import { EmptyState, PageHeader } from '#app/ui/layout/page.tsx';
import { ignoreDialogParams } from '#app/ui/should-revalidate.ts';
import type { Route } from './+types/page.ts';
import { AddFact, EditFact } from './form.tsx';
import { listOfFacts, loadFacts, type PresentedFact, type PresentedFacts } from './present.ts';

export const meta: Route.MetaFunction = () =>
  pageMeta('Facts', 'Facts, numbers and opinions of yours that posts may name, by topic.');

export const shouldRevalidate = ignoreDialogParams('edit', 'confirm-delete');

export const loader = ({ request, context }: Route.LoaderArgs) =>
  loadFacts(db(), actorOf(context), new URL(request.url).searchParams);

export async function action({ request, context }: Route.ActionArgs) {
  const query = new URL(request.url).searchParams;
  const factId = query.get('edit');
  return submit({ context }, FactInput, async (input) => {
    const actor = actorOf(context);
    if (factId) await changeFact(db(), actor, { ...input, factId });
    const isNew = factId ? false : (await addFact(db(), actor, input)).isNew;
    const message = factId ? 'Fact saved' : 'You said this before. It is for what you chose now';
    setFlash(context, 'success', isNew ? 'Fact added' : message);
    return redirect(FACTS + listOfFacts(query));
  });
}

export default function FactList({ loaderData, actionData }: Route.ComponentProps) {
  const { facts, topics, topic, total, search } = loaderData;
  const [query] = useSearchParams();
  const find = (name: string) => facts.find(({ id }) => id === query.get(name));
  const [editing, deleting] = [find('edit'), find('confirm-delete')];
  const closeTo = FACTS + search;
  return (
    <>
      <PageHeader
        title="Facts"
        description="Short true statements that only you can make. Posts are built on them, and each has its turn."
        actions={total > 0 && <NextStepLink hasTopics={topics.length > 0} />}
      />
      <VoiceTabs current={FACTS} />
      <div className="grid gap-6">
        <Card id="add">
          <AddFact
            key={`${topic} ${total}`}
            topics={topics}
            topic={topic === 'all' ? '' : topic}
            search={search}
            result={editing ? undefined : actionData}
          />
        </Card>
        {total > 0 && <FactGroups list={loaderData} />}
        {total === 0 && (
          <EmptyState
            icon={ScrollText}
            title="No facts yet"
            text="A project, a number, an opinion, a mistake, a question you hear often: with one of them a post stops sounding like anybody’s."
            action={<AnswerQuestions />}
          />
        )}
      </div>
      {editing && (
        <EditFact key={editing.id} fact={editing} topics={topics} closeTo={closeTo} result={actionData} />
      )}
      {deleting && <DeleteFact fact={deleting} search={search} />}
    </>
  );
}

const FactGroups = ({ list }: { list: PresentedFacts }) => (
  <section aria-label="Your facts" className="grid gap-4">
    {list.topics.length > 0 && <Chooser list={list} />}
    {list.facts.length === 0 && <p className="card text-ink-2">No facts for this topic yet.</p>}
    {list.facts.length > 0 && (
      <ul className="lines">
        {list.facts.map((fact) => (
          <FactLine key={fact.id} fact={fact} search={list.search} />
        ))}
      </ul>
    )}
    <Pager
      first={list.first === null ? null : FACTS + list.first}
      firstLabel="Back to the newest"
      next={list.next ? FACTS + list.next : null}
      nextLabel="Earlier facts"
    />
  </section>
);

const Chooser = ({ list: { topics, topic, forAll, total } }: { list: PresentedFacts }) => (
  <Form className="flex flex-wrap items-end gap-3" preventScrollReset>
    <label className="field voice-narrow flex-1">
      <span className="field-label">Show</span>
      <select name="topic" key={topic} defaultValue={topic} className="input select">
        <option value="">Everything ({total})</option>
        <option value="all">For all topics ({forAll})</option>
        {topics.map(({ id, name, count }) => (
          <option key={id} value={id}>
            {name} ({count})
          </option>
        ))}
      </select>
    </label>
    <button type="submit" className="btn btn-secondary">
      Show
    </button>
  </Form>
);

const DeleteFact = ({ fact: { id, content }, search }: { fact: PresentedFact; search: string }) => (
  <ConfirmDialog
    failure="Failed to delete the fact"
    title="Delete this fact?"
    body={
      <>
        <p className="voice-quote" dir="auto">
          {content}
        </p>
        <p className="mt-3">Posts that were written with it stay as they are.</p>
      </>
    }
    closeTo={FACTS + search}
    confirmLabel="Delete fact"
    action={voiceAddress(id, 'forget')}
    fields={{ list: search }}
  />
);

const countPosts = (count: number) => (count === 1 ? '1 post' : `${count} posts`);

function FactLine({ fact, search }: { fact: PresentedFact; search: string }) {
  const { id, content, kind, about, lastUsed, used } = fact;
  const urlWith = (name: string) => `${search ? `${search}&` : '?'}${name}=${id}`;
  return (
    <li id={`fact-${id}`} tabIndex={-1} className="line fact-line">
      <div className="min-w-0">
        <p className="break-words" dir="auto">
          {content}
        </p>
        <p className="mt-2 flex flex-wrap items-center gap-2 text-sm text-ink-3">
          <Badge>{FACT_KINDS[kind]}</Badge>
          <Badge tone="brand">{about}</Badge>
          <span>{lastUsed}</span>
        </p>
        {used > 0 && <Uses fact={fact} />}
      </div>
      <div className="fact-acts">
        <Link to={urlWith('edit')} preventScrollReset className="btn btn-sm btn-ghost">
          <Pencil aria-hidden size={16} />
          Edit<span className="sr-only"> “{content}”</span>
        </Link>
        <Link to={urlWith('confirm-delete')} preventScrollReset title="Delete" className="icon-button">
          <Trash2 aria-hidden size={18} />
          <span className="sr-only">Delete “{content}”</span>
        </Link>
      </div>
    </li>
  );
}

const Uses = ({ fact: { used, posts } }: { fact: PresentedFact }) => (
  <details className="text-sm">
    <summary className="fact-opens btn btn-sm btn-ghost -ms-3 text-ink-2">Used in {countPosts(used)}</summary>
    <ul className="fact-posts">
      {posts.map(({ id, beginning }) => (
        <li key={id}>
          <Link to={`/app/posts/${id}`}>
            <span className="min-w-0" dir="auto">
              {beginning}
            </span>
          </Link>
        </li>
      ))}
      {used > posts.length && (
        <li className="py-2 text-ink-3">And {countPosts(used - posts.length)} before.</li>
      )}
    </ul>
  </details>
);
