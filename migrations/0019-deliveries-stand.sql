-- Every post has a delivery from its beginning: where it stands, and its way out. What changes while a post goes out
-- is written here alone, and never on the wide row. Without `due_at` it waits for no instant.
alter table deliveries
  alter column due_at drop not null,
  add column status text not null default 'generated',
  -- Why it failed, as a code: those of app/domain/posts/failures.ts; `reason` is only shown.
  add column failure text,
  add column reason text,
  -- Whether LinkedIn left it open if the post is there; its owner decides with two buttons.
  add column is_unconfirmed boolean not null default false,
  -- Whether its owner has changed since what it failed for.
  add column is_mended boolean not null default false,
  add column posted_at timestamptz(3),
  add column network_urn text,
  -- As on the post, in the same transaction: what is counted, and the urns that are taken, need no other table.
  add column deleted_at timestamptz(3);

update deliveries set status = p.status, failure = p.failure, reason = p.reason, is_unconfirmed = p.is_unconfirmed,
  is_mended = p.is_mended, posted_at = p.posted_at, network_urn = p.network_urn, deleted_at = p.deleted_at
from posts p where p.id = deliveries.post_id;
insert into deliveries (post_id, user_id, status, failure, reason, is_unconfirmed, is_mended, posted_at, network_urn,
  deleted_at)
select id, user_id, status, failure, reason, is_unconfirmed, is_mended, posted_at, network_urn, deleted_at
from posts where not exists (select from deliveries d where d.post_id = posts.id);

alter table deliveries
  add constraint deliveries_status_is_known check (status in ('generated', 'pending', 'published', 'failed')),
  add constraint deliveries_leave_whole check (due_at is not null
    or (not is_by_hand and num_nonnulls(held_at, not_before, enqueued_at, lease_token, lease_until) = 0));

-- What waits. None of these has a row of what is out.
drop index deliveries_due_idx;
drop index deliveries_user_id_idx;
create index deliveries_due_idx on deliveries (due_at) where held_at is null and due_at is not null;
create index deliveries_waiting_idx on deliveries (user_id, due_at) where due_at is not null;

-- The look at what is due passes what has left since the last vacuum, and that is few of all posts.
alter table deliveries set (autovacuum_vacuum_scale_factor = 0.02);

-- Where the posts of a user stand, and what went out when.
create index deliveries_standing_idx on deliveries (user_id, status, posted_at, deleted_at);
-- An address belongs to one post of a user that is not deleted: those are alike in their null.
create unique index deliveries_network_urn_key on deliveries (user_id, network_urn, deleted_at) nulls not distinct
  where network_urn is not null;

-- Only a resend is in it, and not every attempt twice.
drop index publications_one_confirmation;
create unique index publications_one_confirmation on publications (confirms_id)
  where confirms_id is not null and state <> 'not_accepted';

-- With their indexes posts_status_idx, posts_posted_at_idx and posts_network_urn_key.
alter table posts
  drop column status,
  drop column failure,
  drop column reason,
  drop column is_unconfirmed,
  drop column is_mended,
  drop column posted_at,
  drop column network_urn;

-- What is asked about the posts of a user is planned by what is known of both tables.
analyze posts, deliveries;
