-- An address belongs to one post of a user that is not deleted: those are alike in their null. What somebody pastes
-- takes nothing from another account.
drop index posts_network_urn_key;
create unique index posts_network_urn_key on posts (user_id, network_urn, deleted_at) nulls not distinct
  where network_urn is not null;
