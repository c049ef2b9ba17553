-- Small enough to be read for every post of half a year, where reading all their texts takes as long as a page. Null
-- for a post that was stored without one: its text is read.
alter table posts add column sketch bytea;
create index posts_sketch_idx on posts (user_id, created_at) include (id, sketch) where visibility = 'PUBLIC';
drop index posts_deleted_idx;
