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
import { type UsersFilter, type UsersQuery, userAddress, usersAddress } from './paths.ts';
import { PostLines } from './post-list.tsx';
import type { PresentedUser } from './present.ts';

export const UsersTab = ({ users, current, opened, signUp, ...page }: UsersPage) => (
  <section aria-labelledby="users">
    <h2 id="users" className="sr-only">
      Users
    </h2>
    <UsersFilters key={JSON.stringify(current)} current={current} isNarrowed={page.isNarrowed} />
    {signUp && <OpenSignUp {...signUp} />}
    {users.length > 0 ? (
      <ul className="lines people">
        {users.map((user) => (
          <UserRow
            key={user.id}
            user={user}
            current={current}
            opened={opened?.userId === user.id ? opened : null}
          />
        ))}
      </ul>
    ) : page.isNarrowed || page.first ? (
      <NoMatch />
    ) : (
      <EmptyState
        icon={Users}
        title="Nobody yet"
        text="Whoever signs up and verifies an address stands here."
      />
    )}
    {(page.first || page.next) && (
      <nav aria-label="Pages" className="mt-4 flex flex-wrap gap-3">
        {page.first && (
          <ButtonLink to={page.first} variant="secondary">
            Back to the newest
          </ButtonLink>
        )}
        {page.next && (
          <ButtonLink to={page.next} variant="secondary">
            Earlier ones
          </ButtonLink>
        )}
      </nav>
    )}
  </section>
);

type UserRowProps = { user: PresentedUser; current: UsersQuery; opened: UsersPage['opened'] };

function UserRow({ user, current, opened }: UserRowProps) {
  const { id, name, email, posts, published, joined } = user;
  return (
    <li id={`user-${id}`} tabIndex={-1} className="person">
      <div className="person-row">
        <div className="min-w-0">
          <h3>
            <Link
              to={usersAddress(current, opened ? '' : id)}
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
        <Badges {...user} />
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

const Badges = ({ isAdmin, isDisabled, plan }: Pick<PresentedUser, 'isAdmin' | 'isDisabled' | 'plan'>) => (
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
      <ButtonLink to={userAddress(opened.userId)} size="sm" variant="secondary">
        Everything of {name}
      </ButtonLink>
    </p>
  </section>
);

const NoMatch = () => (
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

const CHOICES: { value: UsersFilter | ''; label: string }[] = [
  { value: '', label: 'Everybody' },
  { value: 'plan', label: 'With a plan' },
  { value: 'no_plan', label: 'Without a plan' },
  { value: 'admins', label: 'Admins' },
  { value: 'disabled', label: 'Disabled' },
];

type UsersFiltersProps = { current: UsersQuery; isNarrowed: boolean };

const UsersFilters = ({ current: { q, show }, isNarrowed }: UsersFiltersProps) => (
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

/** The searched address has signed up and is not verified yet. */
const OpenSignUp = ({ id, name, email, at }: NonNullable<UsersPage['signUp']>) => (
  <Banner
    tone="info"
    title={`${name} has not verified ${email} yet`}
    className="mb-4"
    action={
      <ActionForm action={`/app/admin/sign-ups/${id}/resend`} failure="Failed to resend verification">
        <SubmitButton size="sm" variant="secondary" busyLabel="Sending…">
          Resend verification
        </SubmitButton>
      </ActionForm>
    }
  >
    They signed up on {at}. Until the code is entered there is no account.
  </Banner>
);
