import { ChevronRight, SearchX, Users } from 'lucide-react';
import { Link } from 'react-router';
import { USERS } from '#app/routes/admin/tabs.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { Address } from '#app/ui/components/table.tsx';
import { ButtonLink } from '#app/ui/form/button.tsx';
import { EmptyState } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import { PeopleFilters } from './filters.tsx';
import type { PeoplePage } from './load.ts';
import { OpenSignUp } from './open-sign-up.tsx';
import { type PeoplePlace, peopleAddress, personAddress } from './paths.ts';
import { PostLines } from './post-list.tsx';
import type { ShownPerson } from './present.ts';

/** Everybody, the newest first; the posts of one of them open below their line. */
export const UsersTab = ({ people, place, opened, signUp, ...page }: PeoplePage) => (
  <section aria-labelledby="users">
    <h2 id="users" className="sr-only">
      Users
    </h2>
    <PeopleFilters key={JSON.stringify(place)} place={place} isNarrowed={page.isNarrowed} />
    {signUp && <OpenSignUp signUp={signUp} />}
    {people.length === 0 && (page.isNarrowed || page.first ? <NoneOfThese /> : <NoneYet />)}
    {people.length > 0 && (
      <ul className="lines people">
        {people.map((person) => (
          <PersonLine
            key={person.id}
            person={person}
            place={place}
            opened={opened?.userId === person.id ? opened : null}
          />
        ))}
      </ul>
    )}
    <Pages {...page} />
  </section>
);

const Pages = ({ first, next }: Pick<PeoplePage, 'first' | 'next'>) =>
  (first || next) && (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
      {first && <PageLink to={first}>Back to the newest</PageLink>}
      {next && <PageLink to={next}>Earlier ones</PageLink>}
    </nav>
  );

const PageLink = (props: { to: string; children: string }) => <ButtonLink {...props} variant="secondary" />;

type LineProps = { person: ShownPerson; place: PeoplePlace; opened: PeoplePage['opened'] };

function PersonLine({ person, place, opened }: LineProps) {
  const { id, name, email, posts, published, joined } = person;
  return (
    <li id={`user-${id}`} tabIndex={-1} className="person">
      <div className="person-row">
        <div className="min-w-0">
          <h3>
            <Link
              to={peopleAddress(place, opened ? '' : id)}
              preventScrollReset
              aria-expanded={opened !== null}
              className="person-name"
            >
              <ChevronRight aria-hidden size={16} />
              <span className="min-w-0">{name}</span>
            </Link>
          </h3>
          <p className="person-address">
            <Address>{email}</Address>
          </p>
        </div>
        <Marks {...person} />
        <p className="text-ink-2">
          {posts}, <span className="text-ink-3">{published}</span>
        </p>
        <p className="text-ink-3">
          Joined <Time {...joined} />
        </p>
      </div>
      {opened && <PostsOf name={name} opened={opened} />}
    </li>
  );
}

const Marks = ({ isAdmin, isDisabled, plan }: Pick<ShownPerson, 'isAdmin' | 'isDisabled' | 'plan'>) => (
  <p className="flex flex-wrap gap-1">
    {isDisabled && <Badge tone="danger">Disabled</Badge>}
    {isAdmin && <Badge tone="brand">Admin</Badge>}
    {plan ? <Badge tone="success">{plan}</Badge> : !isAdmin && <Badge>No plan</Badge>}
  </p>
);

const PostsOf = ({ name, opened }: { name: string; opened: NonNullable<PeoplePage['opened']> }) => (
  <section aria-label={`Posts of ${name}`} className="person-posts">
    {opened.lines.length > 0 ? <PostLines lines={opened.lines} /> : <p>No posts yet.</p>}
    <p className="mt-2">
      <ButtonLink to={personAddress(opened.userId)} size="sm" variant="secondary">
        Everything of {name}
      </ButtonLink>
    </p>
  </section>
);

const NoneOfThese = () => (
  <EmptyState
    icon={SearchX}
    title="Nobody like that"
    text="Names and addresses are searched as they stand, by one or two letters those that begin with them."
    action={
      <ButtonLink to={USERS} variant="secondary">
        Show everybody
      </ButtonLink>
    }
  />
);

const NoneYet = () => (
  <EmptyState icon={Users} title="Nobody yet" text="Whoever signs up and verifies an address stands here." />
);
