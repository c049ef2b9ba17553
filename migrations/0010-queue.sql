-- The state of each post and its way out: one narrow row, created with the post, so that ticks and leases never write the wide
-- row of posts. Without `due_at` it is not scheduled.
create table deliveries (
  post_id uuid primary key references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  status text not null default 'generated',
  due_at timestamptz(3),
  -- When a published or failed post was due.
  was_due_at timestamptz(3),
  is_by_hand boolean not null default false,
  held_at timestamptz(3),
  not_before timestamptz(3),
  enqueued_at timestamptz(3),
  lease_token bigint,
  lease_until timestamptz(3),
  -- Sent by hand before it was approved: by itself it goes out only after approval.
  needs_approval boolean not null default false,
  -- When the user was mailed that it waits for approval, and the time of the post that the mail named: another time is
  -- mailed again.
  asked_at timestamptz(3),
  asked_due_at timestamptz(3),
  -- Another time for the post, or an edit by the user, does not take the approval back.
  approved_at timestamptz(3),
  -- When the user approved or skipped it by a mailed link, without signing in.
  decided_by_mail_at timestamptz(3),
  posted_at timestamptz(3),
  network_urn text,
  failed_at timestamptz(3),
  -- The code of the failure (app/domain/posts/failures.ts); `reason` is only shown.
  failure text,
  reason text,
  -- LinkedIn has not confirmed whether the post exists; the user decides with two buttons.
  is_unconfirmed boolean not null default false,
  -- The user has changed what it failed for.
  is_mended boolean not null default false,
  -- As in posts, in the same transaction: counts and the uniqueness of URNs need no join.
  deleted_at timestamptz(3),
  constraint deliveries_status_is_known check (status in ('generated', 'pending', 'published', 'failed')),
  constraint deliveries_leave_whole check (
    due_at is not null
    or (not is_by_hand and num_nonnulls(held_at, not_before, enqueued_at, lease_token, lease_until) = 0)
  )
  -- The tick's look at what is due passes the rows that have left since the last vacuum, which are few of all.
) with (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02);
-- Of the columns that change while a post is published none but `due_at` is indexed in rows that wait.
create index deliveries_due_idx on deliveries (due_at) where held_at is null and due_at is not null;
create index deliveries_held_idx on deliveries (held_at) where held_at is not null;
create index deliveries_waiting_idx on deliveries (user_id, due_at) where due_at is not null;
create index deliveries_unasked_idx on deliveries (user_id)
  where status = 'pending' and asked_due_at is distinct from due_at and due_at is not null;
-- The posts of a user by state.
create index deliveries_standing_idx on deliveries (user_id, status, posted_at, deleted_at);
create index deliveries_failed_idx on deliveries (user_id, coalesce(failed_at, 'infinity'::timestamptz))
  where status = 'failed' and deleted_at is null;
create index deliveries_unconfirmed_idx on deliveries (post_id) where is_unconfirmed and deleted_at is null;
-- A URN belongs to one post of a user that is not deleted: nulls of `deleted_at` count as equal. Other users may paste it.
create unique index deliveries_network_urn_key on deliveries (user_id, network_urn, deleted_at) nulls not distinct
  where network_urn is not null;
-- What was published and what failed on each day, and what was published on a day after it had failed on another.
create index deliveries_posted_at_idx on deliveries (posted_at) include (was_due_at) where status = 'published';
create index deliveries_failed_at_idx on deliveries (failed_at) where status = 'failed';
create index deliveries_out_after_all_idx on deliveries (posted_at) include (failed_at)
  where status = 'published' and failed_at is not null;

-- Triggers that keep post_counts. Both functions lock the row of post_counts before they read what another transaction may be
-- changing.
create function is_over(d deliveries, state text, closed_before timestamptz) returns integer language sql immutable as $$
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
  if not exists (select from posts join deliveries on deliveries.post_id = posts.id
    where posts.id = typed.post_id and deliveries.deleted_at is null and visibility = 'PUBLIC') then return null; end if;
  if tg_op <> 'INSERT' then perform add_to_post_counts(-1, old); end if;
  if tg_op <> 'DELETE' then perform add_to_post_counts(1, new); end if;
  return null;
end $$;

-- While a post is published, this condition is all that runs: what publishing writes is younger than a day, and
-- `closed_before` is at least a day ago (app/domain/posts/counts.ts).
create trigger deliveries_counted after update of status, posted_at, failed_at, deleted_at on deliveries
for each row when (
  (old.deleted_at is null) <> (new.deleted_at is null)
  or least(case old.status when 'published' then old.posted_at when 'failed' then old.failed_at end,
    case new.status when 'published' then new.posted_at when 'failed' then new.failed_at end) < now() - interval '1 day')
execute function keep_post_counts();

create trigger engagements_counted after insert or update or delete on engagements
for each row execute function keep_engagement_sums();
