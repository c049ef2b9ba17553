-- What is still to be published: one narrow row for each post, so that ticks and leases never touch the
-- wide one. Only due_at is indexed; the columns that change while publishing are not.
create table deliveries (
  post_id uuid primary key references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  due_at timestamptz(3) not null,
  is_by_hand boolean not null default false,
  held_at timestamptz(3),
  not_before timestamptz(3),
  enqueued_at timestamptz(3),
  lease_token bigint,
  lease_until timestamptz(3),
  image_urn text
) with (fillfactor = 80);
create index deliveries_due_idx on deliveries (due_at) where held_at is null;
create index deliveries_held_idx on deliveries (held_at) where held_at is not null;
create index deliveries_user_id_idx on deliveries (user_id);

create sequence lease_seq;

-- One row for each call of the network's create, written before the call. `sending` is entered once by
-- compare-and-set with the lease and left only by its own outcome or the reaper.
create table publications (
  id uuid primary key default gen_random_uuid(),
  post_id uuid not null references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  attempt integer not null,
  confirms_id uuid references publications on delete cascade,
  state text not null default 'sending',
  author_urn text not null,
  body text not null,
  image_urn text,
  alt_text text,
  lease_token bigint not null,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  -- Set when nothing more will be done about this attempt.
  resolved_at timestamptz(3),
  http_status integer,
  network_urn text,
  explanation text,
  constraint publications_state_is_known check (
    state in ('sending', 'published', 'refused', 'not_accepted', 'unknown', 'held')
  ),
  constraint publications_attempt_key unique (post_id, attempt)
);
create unique index publications_one_sending on publications (post_id) where state = 'sending';
create unique index publications_one_confirmation on publications (confirms_id) where state <> 'not_accepted';
create index publications_open_idx on publications (started_at) where resolved_at is null;

-- The switch that stops publishing for everybody: LinkedIn's daily limit of the whole app.
create table publishing_switch (
  id boolean primary key default true,
  paused_until timestamptz(3),
  reason text,
  constraint publishing_switch_is_one_row check (id)
);
insert into publishing_switch default values;

-- What only the operator can mend, for the admin's eyes.
create table operator_faults (
  key text primary key,
  message text not null,
  first_seen_at timestamptz(3) not null default now(),
  last_seen_at timestamptz(3) not null default now()
);
