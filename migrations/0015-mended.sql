-- Whether the owner of a failed post has changed since what it failed for.
alter table posts add column is_mended boolean not null default false;
update posts set is_mended = true
where status = 'failed' and edited_at > (
  select max(coalesce(finished_at, started_at)) from publications where publications.post_id = posts.id
);
