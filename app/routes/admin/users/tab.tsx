import { ChevronRight, SearchX, Users } from 'lucide-react';
import { Form, Link } from 'react-router';
import { USER_SEARCH_MAX } from '#app/domain/accounts/limits.ts';
import { USERS } from '#app/routes/admin/tabs.tsx';
import { Badge } from '#app/ui/components/badge.tsx';
import { Address } from '#app/ui/components/table.tsx';
import { ActionForm } from '#app/ui/form/action-form.tsx';
import { ButtonLink, SubmitButton } from '#app/ui/form/button.tsx';
import { Banner, EmptyState } from '#app/ui/layout/page.tsx';
import { Time } from '#app/ui/time.tsx';
import type { UsersPage } from './load.ts';
import { peopleAddress, personAddress, type UsersFilter, type UsersPlace } from './paths.ts';
import { PostLines } from './post-list.tsx';
import type { PresentedUser } from './present.ts';

/** Everybody, the newest first; the posts of one of them open below their line. */
export const UsersTab = ({ people, place, opened, signUp, ...page }: UsersPage) => (
  <section aria-labelledby="users">
    <h2 id="users" className="sr-only">
      Users
    </h2>
    <UsersFilters key={JSON.stringify(place)} place={place} isNarrowed={page.isNarrowed} />
    {signUp && <OpenSignUp signUp={signUp} />}
    {people.length === 0 && (page.isNarrowed || page.first ? <NoneOfThese /> : <NoneYet />)}
    {people.length > 0 && (
      <ul className="lines people">
        {people.map((person) => (
          <UserRow
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

const Pages = ({ first, next }: Pick<UsersPage, 'first' | 'next'>) =>
  (first || next) && (
    <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
      {first && <PageLink to={first}>Back to the newest</PageLink>}
      {next && <PageLink to={next}>Earlier ones</PageLink>}
    </nav>
  );

const PageLink = (props: { to: string; children: string }) => <ButtonLink {...props} variant="secondary" />;

type LineProps = { person: PresentedUser; place: UsersPlace; opened: UsersPage['opened'] };

function UserRow({ person, place, opened }: LineProps) {
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

const Marks = ({ isAdmin, isDisabled, plan }: Pick<PresentedUser, 'isAdmin' | 'isDisabled' | 'plan'>) => (
  <p className="flex flex-wrap gap-1">
    {isDisabled && <Badge tone="danger">Disabled</Badge>}
    {isAdmin && <Badge tone="brand">Admin</Badge>}
    {plan ? <Badge tone="success">{plan}</Badge> : !isAdmin && <Badge>No plan</Badge>}
  </p>
);

const PostsOf = ({ name, opened }: { name: string; opened: NonNullable<UsersPage['opened']> }) => (
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

const CHOICES: { value: UsersFilter | ''; label: string }[] = [
  { value: '', label: 'Everybody' },
  { value: 'plan', label: 'With a plan' },
  { value: 'no_plan', label: 'Without a plan' },
  { value: 'admins', label: 'Admins' },
  { value: 'disabled', label: 'Disabled' },
];

type FiltersProps = { place: UsersPlace; isNarrowed: boolean };

/** A GET form: the address carries what was chosen. */
const UsersFilters = ({ place: { q, show }, isNarrowed }: FiltersProps) => (
  <Form role="search" className="desk-filters">
    <input type="hidden" name="tab" value="users" />
    <label className="field">
      <span className="field-label">Search</span>
      <input
        type="search"
        name="q"
        defaultValue={q}
        maxLength={USER_SEARCH_MAX}
        placeholder="Name, email or ID"
        className="input"
      />
    </label>
    <label className="field">
      <span className="field-label">Who</span>
      <select name="show" defaultValue={show} className="input select">
        {CHOICES.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
    </label>
    <p className="flex gap-2">
      <SubmitButton variant="secondary">Show</SubmitButton>
      {isNarrowed && (
        <ButtonLink to={USERS} variant="ghost">
          Clear
        </ButtonLink>
      )}
    </p>
  </Form>
);

/** Who was looked for has signed up, and not entered the code yet. */
const OpenSignUp = ({ signUp }: { signUp: NonNullable<UsersPage['signUp']> }) => (
  <Banner
    tone="info"
    title={`${signUp.name} has not verified ${signUp.email} yet`}
    className="mb-4"
    action={
      <ActionForm action={`/app/admin/sign-ups/${signUp.id}/resend`} failure="Failed to resend verification">
        <SubmitButton size="sm" variant="secondary" busyLabel="Sending…">
          Resend verification
        </SubmitButton>
      </ActionForm>
    }
  >
    They signed up on {signUp.at}. Until the code is entered there is no account.
  </Banner>
);
