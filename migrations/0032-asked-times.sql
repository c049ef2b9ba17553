-- The time of a post that the latest mail about its approval named. Another one is mailed anew.
alter table deliveries add column asked_due_at timestamptz(3);
update deliveries set asked_due_at = due_at where asked_at is not null and due_at is not null;

-- What nobody was asked about yet, at the time that it has.
drop index deliveries_unasked_idx;
create index deliveries_unasked_idx on deliveries (user_id)
where status = 'pending' and asked_due_at is distinct from due_at and due_at is not null;
