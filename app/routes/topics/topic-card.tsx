import { Pencil, ScrollText, Sparkles, Trash2 } from 'lucide-react';
import { Link } from 'react-router';
import { APPROVAL_WORDS, type TopicApproval } from '#app/domain/topics/limits.ts';
import { ActionForm } from '#app/ui/action-form.tsx';
import { Badge } from '#app/ui/badge.tsx';
import { SubmitButton } from '#app/ui/button.tsx';
import { Card } from '#app/ui/card.tsx';
import { capitalised } from '#app/ui/in-words.ts';
import { Banner } from '#app/ui/page.tsx';
import { SwitchButton } from '#app/ui/switch.tsx';
import { topicAddress } from '../verbs.ts';

type Topic = {
  id: string;
  name: string;
  description: string;
  keywords: string[];
  tone: string;
  approval: TopicApproval;
  isActive: boolean;
  isPaused: boolean;
  failures: number;
  failure: string;
  usedOn: string | null;
  facts: number;
};

const inCount = (keywords: number) =>
  keywords === 1 ? '1 keyword' : `${keywords === 0 ? 'No' : keywords} keywords`;

/** `kept` goes before what its links ask of the page. */
export function TopicCard({ topic, kept }: { topic: Topic; kept: string }) {
  const { id, name, description, keywords, tone, approval, isActive, isPaused } = topic;
  return (
    <Card as="li" id={`topic-${id}`} className="flex flex-col gap-3">
      <div className="flex items-start justify-between gap-3">
        <h2 className="min-w-0 text-lg font-semibold break-words">{name}</h2>
        <span className="-my-2">
          <SwitchButton
            failure="Failed to toggle topic status"
            isOn={isActive}
            label={`${name} is active`}
            action={topicAddress(id, 'toggle')}
            asksFirst={{ name: 'confirm-deactivate', value: id }}
          />
        </span>
      </div>
      {description && <p className="line-clamp-3 break-words text-ink-2">{description}</p>}
      <div className="flex flex-wrap gap-2">
        {!isActive && <Badge tone="warning">Inactive</Badge>}
        {isActive && isPaused && <Badge tone="warning">Paused</Badge>}
        <Badge tone="brand">{capitalised(tone)}</Badge>
        <Badge>{inCount(keywords.length)}</Badge>
        {approval !== 'settings' && <Badge>{APPROVAL_WORDS[approval]}</Badge>}
      </div>
      {isActive && <Failed topic={topic} />}
      <div className="flex flex-wrap items-center gap-x-2">
        <TopicFacts topic={topic} />
        <WriteOne topic={topic} />
      </div>
      <TopicFoot topic={topic} kept={kept} />
    </Card>
  );
}

/** Why nothing was written about it, and the button that gives a paused topic its turns again. */
function Failed({ topic: { id, name, failures, failure, isPaused } }: { topic: Topic }) {
  if (failures === 0 && !isPaused) return null;
  if (!isPaused)
    return <p className="text-sm break-words text-ink-2">Not written the last time: {failure}.</p>;
  const resume = (
    <ActionForm action={topicAddress(id, 'resume')} failure="Failed to resume topic" preventScrollReset>
      <SubmitButton size="sm" variant="secondary" busyLabel="Resuming…">
        Resume<span className="sr-only"> {name}</span>
      </SubmitButton>
    </ActionForm>
  );
  return (
    <Banner tone="warning" action={resume}>
      {failures > 1 && `It could not be written ${failures} times in a row. The last time: ${failure}. `}
      Its turns are left out until you resume it.
    </Banner>
  );
}

/** How many facts are its own, and the way to them. */
const TopicFacts = ({ topic: { id, name, facts } }: { topic: Topic }) => (
  <p className="me-auto">
    <Link to={`/app/voice/facts?topic=${id}`} className="btn btn-sm btn-ghost -ms-3 text-ink-2">
      <ScrollText aria-hidden size={16} />
      {facts === 0 ? 'Add a fact' : facts === 1 ? '1 fact' : `${facts} facts`}
      <span className="sr-only"> about {name}</span>
    </Link>
  </p>
);

/** A post about it at once, whoever's turn it is. */
const WriteOne = ({ topic: { id, name } }: { topic: Topic }) => (
  <ActionForm
    action="/app/generate"
    fields={{ topicId: id, count: '1' }}
    failure="Failed to generate posts"
    isOnce
  >
    <SubmitButton size="sm" variant="ghost" busyLabel="Starting…">
      <Sparkles aria-hidden size={16} />
      Write one now<span className="sr-only"> about {name}</span>
    </SubmitButton>
  </ActionForm>
);

/** When it had its last turn, and what can be done about it. */
const TopicFoot = ({ topic: { id, name, usedOn }, kept }: { topic: Topic; kept: string }) => (
  <div className="mt-auto -mb-2 flex items-center gap-1 border-t border-line pt-2">
    <p className="me-auto text-sm text-ink-3">{usedOn ? `Last written ${usedOn}` : 'Not written yet'}</p>
    <Link to={`?${kept}edit=${id}`} preventScrollReset className="btn btn-sm btn-ghost">
      <Pencil aria-hidden size={16} />
      Edit<span className="sr-only"> {name}</span>
    </Link>
    <Link to={`?${kept}confirm-delete=${id}`} preventScrollReset title="Delete" className="icon-button -me-3">
      <Trash2 aria-hidden size={18} />
      <span className="sr-only">Delete {name}</span>
    </Link>
  </div>
);
