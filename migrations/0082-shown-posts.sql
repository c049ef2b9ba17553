-- Since when a user lets the start page show their newest post; null is not at all.
alter table users add column shows_posts_since timestamptz(3);
create index users_showing_idx on users (id) where shows_posts_since is not null;
