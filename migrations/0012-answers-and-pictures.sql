-- By what LinkedIn's support finds a call again.
alter table publications
  add column li_uuid text,
  add column li_request_id text,
  add column li_fabric text,
  add column li_pop text,
  add column li_error text;

-- The picture as LinkedIn has it stays with its post, whatever becomes of the delivery. Only the member who
-- uploaded it may post it.
alter table posts
  add column image_urn text,
  add column image_author_urn text,
  add constraint posts_kept_image_is_whole check ((image_urn is null) = (image_author_urn is null));
update posts set image_urn = d.image_urn, image_author_urn = 'urn:li:person:' || c.member_id
from deliveries d join linkedin_connections c on c.user_id = d.user_id
where d.post_id = posts.id and d.image_urn is not null;
alter table deliveries drop column image_urn;
