alter table deliveries
  -- When its owner approved it. Another time, or an edit of theirs, takes that back in nothing.
  add column approved_at timestamptz(3),
  -- When its owner was mailed that it waits for their approval.
  add column asked_at timestamptz(3);

-- What nobody was asked about yet.
create index deliveries_unasked_idx on deliveries (user_id)
where status = 'pending' and asked_at is null and due_at is not null;

-- Whether its posts wait for approval: as the settings of its owner say, always, or never.
alter table topics
  add column approval text not null default 'settings',
  add constraint topics_approval_is_known check (approval in ('settings', 'approve', 'publish'));

-- Which of these were written before their owners asked to approve, and which they have approved, nobody has kept:
-- they are asked again.
update deliveries set status = 'pending'
from automation_settings s
where s.user_id = deliveries.user_id and s.requires_approval
  and status = 'generated' and due_at is not null and not is_by_hand and deleted_at is null;
