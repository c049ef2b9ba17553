-- What support answers often, for all admins to begin an answer from.
create table saved_replies (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  message text not null,
  constraint saved_replies_are_bounded
    check (length(title) >= 1 and length(title) <= 80 and length(message) >= 1 and length(message) <= 5000)
);
create unique index saved_replies_title_idx on saved_replies (lower(title));

-- The feedback of which an admin made a request, so that its author can be answered: one of each.
alter table support_tickets add column feedback_id uuid references feedback on delete set null;
create unique index support_tickets_feedback_id_idx on support_tickets (feedback_id) where feedback_id is not null;
