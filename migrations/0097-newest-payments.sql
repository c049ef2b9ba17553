-- The list of everybody's plans, the newest first.
create index payments_created_at_idx on payments (created_at desc, id desc);
