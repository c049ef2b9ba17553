-- The text of a post and its slot. Its state and its way out are in deliveries.
create table posts (
  id uuid primary key default id_of_now(),
  user_id uuid not null references users on delete cascade,
  topic_id uuid references topics on delete set null,
  -- The run that wrote it, and its position in the run; the foreign key is in 0009-writing.sql.
  run_id uuid,
  run_index integer,
  content text not null,
  hashtags text[] not null default '{}',
  image_url text,
  alt_text text,
  -- The picture as LinkedIn has it, and the member who uploaded it: nobody else may post it.
  image_urn text,
  image_author_urn text,
  -- A test post goes to the member's connections only.
  visibility text not null default 'PUBLIC',
  slot_date date,
  slot_number integer,
  publish_at timestamptz(3),
  -- The slot that was taken from it last, when it was set aside.
  previous_slot_date date,
  previous_slot_number integer,
  -- Grows with each change of the content: an edit that began from an older revision overwrites nothing.
  revision integer not null default 0,
  edited_at timestamptz(3),
  -- When it moved to another slot because it was not approved in time; it moves once.
  approval_moved_at timestamptz(3),
  created_at timestamptz(3) not null default now(),
  deleted_at timestamptz(3),
  constraint posts_run_index_key unique (run_id, run_index),
  constraint posts_slot_is_whole check ((slot_date is null) = (slot_number is null)),
  constraint posts_left_slot_is_whole check ((previous_slot_date is null) = (previous_slot_number is null)),
  constraint posts_kept_image_is_whole check ((image_urn is null) = (image_author_urn is null)),
  constraint posts_visibility_is_known check (visibility in ('PUBLIC', 'CONNECTIONS'))
);
create unique index posts_slot_key on posts (user_id, slot_date, slot_number) where deleted_at is null;
create index posts_user_id_idx on posts (user_id, created_at desc, id desc) where deleted_at is null;
-- All posts of a user, deleted or not: to compare texts, to export and to erase them.
create index posts_user_id_created_at_idx on posts (user_id, created_at, id);
create index posts_test_idx on posts (user_id, created_at desc) where visibility = 'CONNECTIONS';
-- The latest posts about a topic, and the posts of a topic that is deleted.
create index posts_of_topic_idx on posts (topic_id, created_at desc);

-- Texts that a post had before, or could have: each can take the place of its content.
create table post_versions (
  id uuid primary key default id_of_now(),
  post_id uuid not null references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  content text not null,
  hashtags text[] not null default '{}',
  -- The row of `briefs` for this text; null for a text that the user wrote.
  made jsonb,
  created_at timestamptz(3) not null default now()
);
create index post_versions_post_id_idx on post_versions (post_id, created_at desc);
create index post_versions_user_id_idx on post_versions (user_id);

-- Numbers of a published post that the user read on LinkedIn and typed in: an ordinary application may not read them.
create table engagements (
  post_id uuid primary key references posts on delete cascade,
  user_id uuid not null references users on delete cascade,
  likes integer,
  comments integer,
  shares integer,
  impressions integer,
  entered_at timestamptz(3) not null default now(),
  constraint engagements_likes_range check (likes >= 0 and likes <= 1000000000),
  constraint engagements_comments_range check (comments >= 0 and comments <= 1000000000),
  constraint engagements_shares_range check (shares >= 0 and shares <= 1000000000),
  constraint engagements_impressions_range check (impressions >= 0 and impressions <= 1000000000),
  constraint engagements_say_something check (num_nonnulls(likes, comments, shares, impressions) > 0)
);
create index engagements_user_id_idx on engagements (user_id);

-- Counts of the older posts of each user, so that a page counts only the newer ones. The triggers that keep them are in
-- 0010-publishing.sql.
create table post_counts (
  user_id uuid primary key references users on delete cascade,
  -- What was published or failed before this instant is counted here.
  closed_before timestamptz(3) not null default '-infinity',
  published integer not null default 0,
  failed integer not null default 0,
  -- Sums of the numbers of engagements, and how many numbers each sum is of.
  likes bigint not null default 0,
  likes_typed integer not null default 0,
  comments bigint not null default 0,
  comments_typed integer not null default 0,
  shares bigint not null default 0,
  shares_typed integer not null default 0
);

-- Totals of the whole service, counted by the worker so that no visitor waits for them: published posts, their authors, and
-- all posts (null until counted).
create table published_totals (
  is_only boolean primary key default true,
  posts integer not null,
  authors integer not null,
  written integer,
  counted_at timestamptz(3) not null,
  constraint published_totals_is_one_row check (is_only)
);

-- Posts that an admin has taken off the landing page.
create table landing_exclusions (
  post_id uuid primary key references posts on delete cascade,
  reason text not null,
  excluded_by uuid references users on delete set null,
  excluded_at timestamptz(3) not null,
  constraint landing_exclusions_reason_length check (length(reason) between 1 and 500)
);
create index landing_exclusions_barred_by_idx on landing_exclusions (excluded_by) where excluded_by is not null;
create index landing_exclusions_barred_at_idx on landing_exclusions (excluded_at);

-- Copies of the pictures on the landing page; without bytes when the copy failed.
create table landing_pictures (
  post_id uuid primary key references posts on delete cascade,
  bytes bytea,
  tried_at timestamptz(3) not null,
  constraint landing_pictures_bytes_range check (octet_length(bytes) between 1 and 262144)
);

-- A commit that may take a post off the landing page notifies every web process (app/db/listen.ts).
create function notify_landing() returns trigger language plpgsql as $$
begin
  perform pg_notify('start_page', '');
  return null;
end $$;

create function notify_landing_of_author() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = new.user_id and shows_posts_since is not null) then
    perform pg_notify('start_page', '');
  end if;
  return null;
end $$;

create trigger posts_start_page after update of deleted_at, topic_id on posts
for each row when (old.deleted_at is null and (new.deleted_at is not null or new.topic_id is null))
execute function notify_landing_of_author();
create trigger landing_exclusions_notify after insert or delete on landing_exclusions
for each statement execute function notify_landing();
create trigger users_start_page after update of shows_posts_since on users
for each row when (old.shows_posts_since is distinct from new.shows_posts_since) execute function notify_landing();
create trigger users_start_page_gone after delete on users
for each row when (old.shows_posts_since is not null) execute function notify_landing();
create trigger account_deletions_start_page after insert on account_deletions
for each row execute function notify_landing_of_author();
create trigger disabled_accounts_start_page after insert on disabled_accounts
for each row execute function notify_landing_of_author();
create trigger linkedin_connections_start_page after update of status on linkedin_connections
for each row when (old.status is distinct from new.status) execute function notify_landing_of_author();
