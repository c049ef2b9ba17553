-- What was wrong with the last answer, in sentences for the user; `rejections` has those for the writer.
alter table runs add column complaints text[] not null default '{}';

-- New texts are compared with all posts of half a year. Those that are not deleted have an index of their own.
create index posts_deleted_idx on posts (user_id, created_at desc) where deleted_at is not null;
