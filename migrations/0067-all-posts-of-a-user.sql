-- For whatever is asked of all posts of a user, deleted or not: to compare texts, to hand them out, to erase them.
create index posts_user_id_created_at_idx on posts (user_id, created_at, id);
drop index posts_deleted_idx;
