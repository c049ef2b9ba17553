-- New texts are compared with all posts of half a year. Those that are not deleted have an index of their own.
create index posts_deleted_idx on posts (user_id, created_at desc) where deleted_at is not null;
