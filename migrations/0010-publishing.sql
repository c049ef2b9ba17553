-- The state of each post and its way out: one narrow row, created with the post, so that ticks and leases never write the wide
-- row of posts. Without `due_at` it is not scheduled.
create table post_schedules (
  post_id uuid primary key references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  status text not null default 'generated',
  due_at timestamptz(3),
  -- When a published or failed post was due.
  was_due_at timestamptz(3),
  is_manual boolean not null default false,
  held_at timestamptz(3),
  not_before timestamptz(3),
  enqueued_at timestamptz(3),
  lease_token bigint,
  lease_until timestamptz(3),
  -- Sent by hand before it was approved: by itself it goes out only after approval.
  needs_approval boolean not null default false,
  -- When the user was mailed that it waits for approval, and the time of the post that the mail named: another time is
  -- mailed again.
  approval_requested_at timestamptz(3),
  approval_requested_for timestamptz(3),
  -- Another time for the post, or an edit by the user, does not take the approval back.
  approved_at timestamptz(3),
  -- When the user approved or skipped it by a mailed link, without signing in.
  decided_by_email_at timestamptz(3),
  posted_at timestamptz(3),
  network_urn text,
  failed_at timestamptz(3),
  -- The code of the failure (app/domain/posts/failures.ts); `reason` is only shown.
  failure text,
  reason text,
  -- LinkedIn has not confirmed whether the post exists; the user decides with two buttons.
  is_unconfirmed boolean not null default false,
  -- The user has changed what it failed for.
  issue_resolved boolean not null default false,
  -- As in posts, in the same transaction: counts and the uniqueness of URNs need no join.
  deleted_at timestamptz(3),
  constraint post_schedules_status_is_known check (status in ('generated', 'pending', 'published', 'failed')),
  constraint post_schedules_leave_whole check (
    due_at is not null
    or (not is_manual and num_nonnulls(held_at, not_before, enqueued_at, lease_token, lease_until) = 0)
  )
  -- The tick's look at what is due passes the rows that have left since the last vacuum, which are few of all.
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
-- Of the columns that change while a post is published none but `due_at` is indexed in rows that wait.
create index post_schedules_due_idx on post_schedules (due_at) where held_at is null and due_at is not null;
create index post_schedules_held_idx on post_schedules (held_at) where held_at is not null;
create index post_schedules_waiting_idx on post_schedules (user_id, due_at) where due_at is not null;
create index post_schedules_unasked_idx on post_schedules (user_id)
  where status = 'pending' and approval_requested_for is distinct from due_at and due_at is not null;
-- The posts of a user by state.
create index post_schedules_standing_idx on post_schedules (user_id, status, posted_at, deleted_at);
create index post_schedules_failed_idx on post_schedules (user_id, coalesce(failed_at, 'infinity'::timestamptz))
  where status = 'failed' and deleted_at is null;
create index post_schedules_unconfirmed_idx on post_schedules (post_id) where is_unconfirmed and deleted_at is null;
-- A URN belongs to one post of a user that is not deleted: nulls of `deleted_at` count as equal. Other users may paste it.
create unique index post_schedules_network_urn_key on post_schedules (user_id, network_urn, deleted_at) nulls not distinct
  where network_urn is not null;
-- What was published and what failed on each day, and what was published on a day after it had failed on another.
create index post_schedules_posted_at_idx on post_schedules (posted_at) include (was_due_at) where status = 'published';
create index post_schedules_failed_at_idx on post_schedules (failed_at) where status = 'failed';
create index post_schedules_out_after_all_idx on post_schedules (posted_at) include (failed_at)
  where status = 'published' and failed_at is not null;

-- Triggers that keep post_counts. Both functions lock the row of post_counts before they read what another transaction may be
-- changing.
create function is_over(d post_schedules, state text, closed_before timestamptz) returns integer language sql immutable as $$
  select coalesce(d.status = state and d.deleted_at is null
    and case state when 'published' then d.posted_at else d.failed_at end < closed_before, false)::integer
$$;

create function add_to_post_counts(times integer, e engagements) returns void language sql as $$
  update post_counts set
    likes = likes + times * coalesce(e.likes, 0), likes_typed = likes_typed + times * num_nonnulls(e.likes),
    comments = comments + times * coalesce(e.comments, 0),
    comments_typed = comments_typed + times * num_nonnulls(e.comments),
    shares = shares + times * coalesce(e.shares, 0), shares_typed = shares_typed + times * num_nonnulls(e.shares)
  where user_id = e.user_id
$$;

create function keep_post_counts() returns trigger language plpgsql as $$
begin
  if (select visibility from posts where id = new.post_id) <> 'PUBLIC' then return null; end if;
  insert into post_counts (user_id) values (new.user_id) on conflict do nothing;
  update post_counts c set
    published = published + is_over(new, 'published', closed_before) - is_over(old, 'published', closed_before),
    failed = failed + is_over(new, 'failed', closed_before) - is_over(old, 'failed', closed_before)
  where c.user_id = new.user_id;
  if (old.deleted_at is null) <> (new.deleted_at is null) then
    perform add_to_post_counts(case when new.deleted_at is null then 1 else -1 end, e)
    from engagements e where e.post_id = new.post_id;
  end if;
  return null;
end $$;

create function keep_engagement_sums() returns trigger language plpgsql as $$
declare
  typed engagements := case when tg_op = 'DELETE' then old else new end;
begin
  -- With a user goes everything of theirs.
  if not exists (select from users where id = typed.user_id) then return null; end if;
  insert into post_counts (user_id) values (typed.user_id) on conflict do nothing;
  perform from post_counts where user_id = typed.user_id for update;
  if not exists (select from posts join post_schedules on post_schedules.post_id = posts.id
    where posts.id = typed.post_id and post_schedules.deleted_at is null and visibility = 'PUBLIC') then return null; end if;
  if tg_op <> 'INSERT' then perform add_to_post_counts(-1, old); end if;
  if tg_op <> 'DELETE' then perform add_to_post_counts(1, new); end if;
  return null;
end $$;

-- While a post is published, this condition is all that runs: what publishing writes is younger than a day, and
-- `closed_before` is at least a day ago (app/domain/posts/counts.ts).
create trigger post_schedules_counted after update of status, posted_at, failed_at, deleted_at on post_schedules
for each row when (
  (old.deleted_at is null) <> (new.deleted_at is null)
  or least(case old.status when 'published' then old.posted_at when 'failed' then old.failed_at end,
    case new.status when 'published' then new.posted_at when 'failed' then new.failed_at end) < now() - interval '1 day')
execute function keep_post_counts();

create trigger engagements_counted after insert or update or delete on engagements
for each row execute function keep_engagement_sums();

create sequence lease_seq;

-- One row for each attempt to create a post at LinkedIn, written before the call. `sending` is entered once, by compare-and-set
-- with the lease, and left only by the attempt's own outcome or by the sweep.
create table publish_attempts (
  id uuid primary key default id_of_now(),
  post_id uuid not null references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  attempt integer not null,
  -- The attempt without an answer that this one repeats to confirm it.
  confirms_id uuid references publish_attempts on delete cascade,
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
  constraint publish_attempts_attempt_key unique (post_id, attempt),
  constraint publish_attempts_state_is_known check (
    state in ('sending', 'published', 'refused', 'not_accepted', 'unknown', 'held')
  ),
  constraint publish_attempts_visibility_is_known check (visibility in ('PUBLIC', 'CONNECTIONS'))
);
create unique index publish_attempts_one_sending on publish_attempts (post_id) where state = 'sending';
create unique index publish_attempts_one_confirmation on publish_attempts (confirms_id)
  where confirms_id is not null and state <> 'not_accepted';
create index publish_attempts_confirms_id_idx on publish_attempts (confirms_id) where confirms_id is not null;
create index publish_attempts_open_idx on publish_attempts (started_at) where resolved_at is null;

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
create table publishing_pause (
  id boolean primary key default true,
  paused_until timestamptz(3),
  reason text,
  stopped_at timestamptz(3),
  stopped_until timestamptz(3),
  stop_reason text,
  constraint publishing_pause_is_one_row check (id),
  constraint publishing_pause_stop_has_reason check (stopped_at is null or stop_reason is not null)
);
insert into publishing_pause default values;

-- What was published and what failed on each day (UTC), counted by the worker, and percentiles of the lateness.
create table publishing_days (
  day date primary key,
  published integer not null,
  failed integer not null,
  late_p50_ms bigint,
  late_p99_ms bigint,
  counted_at timestamptz(3) not null
);

-- When each tick last ran, and since when a worker has known it.
create table tick_times (
  name text primary key,
  known_since timestamptz(3) not null default now(),
  last_at timestamptz(3)
);
