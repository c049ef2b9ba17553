-- Posts that an admin has taken off the start page, and why.
create table start_page_bars (
  post_id uuid primary key references posts on delete cascade,
  reason text not null,
  barred_by uuid references users on delete set null,
  barred_at timestamptz(3) not null,
  constraint start_page_bars_reason_length check (length(reason) between 1 and 500)
);
create index start_page_bars_barred_by_idx on start_page_bars (barred_by) where barred_by is not null;
create index start_page_bars_barred_at_idx on start_page_bars (barred_at);

-- Our own copy of a picture that is shown there; without bytes it was tried and could not be made.
create table start_page_pictures (
  post_id uuid primary key references posts on delete cascade,
  bytes bytea,
  tried_at timestamptz(3) not null,
  constraint start_page_pictures_bytes_range check (octet_length(bytes) between 1 and 262144)
);

-- What everybody sees may end with this commit: every process that shows it is told (app/db/listen.ts).
create function tell_start_page() returns trigger language plpgsql as $$
begin
  perform pg_notify('start_page', '');
  return null;
end $$;

create function tell_start_page_of_author() returns trigger language plpgsql as $$
begin
  if exists (select from users where id = new.user_id and shows_posts_since is not null) then
    perform pg_notify('start_page', '');
  end if;
  return null;
end $$;

create trigger users_start_page after update of shows_posts_since on users
for each row when (old.shows_posts_since is distinct from new.shows_posts_since) execute function tell_start_page();
create trigger users_start_page_gone after delete on users
for each row when (old.shows_posts_since is not null) execute function tell_start_page();
create trigger start_page_bars_told after insert or delete on start_page_bars
for each statement execute function tell_start_page();
create trigger posts_start_page after update of deleted_at, topic_id on posts
for each row when (old.deleted_at is null and (new.deleted_at is not null or new.topic_id is null))
execute function tell_start_page_of_author();
create trigger account_deletions_start_page after insert on account_deletions
for each row execute function tell_start_page_of_author();
create trigger linkedin_connections_start_page after update of status on linkedin_connections
for each row when (old.status is distinct from new.status) execute function tell_start_page_of_author();
