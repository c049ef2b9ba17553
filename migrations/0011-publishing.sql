create sequence lease_seq;

-- One row for each attempt to create a post at LinkedIn, written before the call. `sending` is entered once, by compare-and-set
-- with the lease, and left only by the attempt's own outcome or by the sweep.
create table publications (
  id uuid primary key default id_of_now(),
  post_id uuid not null references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  attempt integer not null,
  -- The attempt without an answer that this one repeats to confirm it.
  confirms_id uuid references publications on delete cascade,
  state text not null default 'sending',
  author_urn text not null,
  body text not null,
  image_urn text,
  alt_text text,
  visibility text not null default 'PUBLIC',
  lease_token bigint not null,
  started_at timestamptz(3) not null default now(),
  finished_at timestamptz(3),
  -- Set when nothing more will be done about this attempt.
  resolved_at timestamptz(3),
  http_status integer,
  network_urn text,
  explanation text,
  -- Headers by which LinkedIn's support finds a call.
  li_uuid text,
  li_request_id text,
  li_fabric text,
  li_pop text,
  li_error text,
  constraint publications_attempt_key unique (post_id, attempt),
  constraint publications_state_is_known check (
    state in ('sending', 'published', 'refused', 'not_accepted', 'unknown', 'held')
  ),
  constraint publications_visibility_is_known check (visibility in ('PUBLIC', 'CONNECTIONS'))
);
create unique index publications_one_sending on publications (post_id) where state = 'sending';
create unique index publications_one_confirmation on publications (confirms_id)
  where confirms_id is not null and state <> 'not_accepted';
create index publications_confirms_id_idx on publications (confirms_id) where confirms_id is not null;
create index publications_open_idx on publications (started_at) where resolved_at is null;

-- The identity of this database: the cluster, the database in it, and the timeline, which a promotion or a restore to a point
-- in time begins anew. '-' stands for what a managed server does not tell.
create function publishing_server() returns text language plpgsql stable as $$
declare
  cluster text := '-';
  line text := '-';
begin
  begin
    select system_identifier into cluster from pg_control_system();
  exception when insufficient_privilege or feature_not_supported or object_not_in_prerequisite_state then
  end;
  begin
    line := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when insufficient_privilege or feature_not_supported or object_not_in_prerequisite_state then
  end;
  return cluster || '.' || (select oid from pg_database where datname = current_database()) || '.' || line;
end
$$;

-- A restored backup, a promoted replica and a copy differ from this row or from what a process has seen: then nothing is
-- published until an operator has looked (npm run resume-publishing).
create table publishing_epoch (
  id boolean primary key default true,
  server text not null,
  -- Milliseconds since 1970, set anew at each release.
  epoch bigint not null,
  -- Grows each minute. A clock that is behind `beat_at` was set back.
  beat bigint not null default 0,
  beat_at timestamptz not null default clock_timestamp(),
  -- The clock was set back: attempts that began until then are older than it says.
  doubted_until timestamptz,
  -- The latest tick of the worker; null until the first.
  ticked_at timestamptz(3),
  constraint publishing_epoch_is_one_row check (id)
);
insert into publishing_epoch (server, epoch)
values (publishing_server(), floor(extract(epoch from clock_timestamp()) * 1000));

-- What stops publishing for everybody: LinkedIn's daily limit of the whole application (`paused_until`), and an admin
-- (`stopped_at`, without an end until resumed). Neither ends the other.
create table publishing_switch (
  id boolean primary key default true,
  paused_until timestamptz(3),
  reason text,
  stopped_at timestamptz(3),
  stopped_until timestamptz(3),
  stop_reason text,
  constraint publishing_switch_is_one_row check (id),
  constraint publishing_switch_stop_has_reason check (stopped_at is null or stop_reason is not null)
);
insert into publishing_switch default values;

-- What was published and what failed on each day (UTC), counted by the worker, and percentiles of the lateness.
create table publishing_days (
  day date primary key,
  published integer not null,
  failed integer not null,
  late_p50_ms bigint,
  late_p99_ms bigint,
  counted_at timestamptz(3) not null
);
