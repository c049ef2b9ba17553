-- A sketch is made of other heaps now: those made before say nothing about a text.
alter table posts drop column sketch;
alter table posts add column sketch bytea;
-- For whatever is asked of all posts of a user, deleted or not: to compare texts, to hand them out, to erase them.
create index posts_sketch_idx on posts (user_id, created_at, id) include (sketch, visibility);

-- Who changes a text and says nothing of its sketch, a process of before or an operator by hand, leaves none: the text
-- is read then.
create function forget_sketch() returns trigger language plpgsql as $$
begin
  new.sketch := null;
  return new;
end $$;

create trigger posts_forget_sketch before update of content on posts for each row
  when (new.content <> old.content and new.sketch is not distinct from old.sketch) execute function forget_sketch();
