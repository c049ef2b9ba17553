-- What is over of each user's posts, counted once: a page counts only what is newer. Without a row nothing is kept.
create table post_counts (
  user_id uuid primary key references users on delete cascade,
  -- Of what is published and failed, that before this instant is kept here.
  closed_before timestamptz(3) not null default '-infinity',
  published integer not null default 0,
  failed integer not null default 0,
  -- The sums of what was typed in, and of how many numbers: without any there is no sum.
  likes bigint not null default 0,
  likes_typed integer not null default 0,
  comments bigint not null default 0,
  comments_typed integer not null default 0,
  shares bigint not null default 0,
  shares_typed integer not null default 0
);

-- When it failed last. Those that failed before this column counts as if they failed now.
alter table deliveries add column failed_at timestamptz(3);
update deliveries set failed_at = now() where status = 'failed';
create index deliveries_failed_idx on deliveries (user_id, coalesce(failed_at, 'infinity'::timestamptz))
  where status = 'failed' and deleted_at is null;

insert into post_counts
select user_id, '-infinity', 0, 0, coalesce(sum(likes), 0), count(likes), coalesce(sum(comments), 0), count(comments),
  coalesce(sum(shares), 0), count(shares)
from engagements join posts using (user_id)
where posts.id = engagements.post_id and posts.deleted_at is null and posts.visibility = 'PUBLIC'
group by user_id;

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

-- Both functions lock the row of counts before they look at anything another transaction may be changing.
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

-- What publishing writes is younger than a day, and for it the condition is all that is done. What is kept ends a day
-- before that (app/domain/posts/counts.ts).
create trigger deliveries_counted after update of status, posted_at, failed_at, deleted_at on deliveries
for each row when (
  (old.deleted_at is null) <> (new.deleted_at is null)
  or least(case old.status when 'published' then old.posted_at when 'failed' then old.failed_at end,
    case new.status when 'published' then new.posted_at when 'failed' then new.failed_at end) < now() - interval '1 day')
execute function keep_post_counts();

create trigger engagements_counted after insert or update or delete on engagements
for each row execute function keep_engagement_sums();
