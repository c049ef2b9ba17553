-- The key of a program, which tells two calls apart, with what it asked for: of an account, or of the address without one.
alter table support_tickets add column asked_as text;
create unique index support_tickets_asked_as_idx on support_tickets (user_id, asked_as)
  where asked_as is not null and user_id is not null;
create unique index support_tickets_email_asked_as_idx on support_tickets (email, asked_as)
  where asked_as is not null and user_id is null;

-- A vote changes with each call, so what a call with a key was answered is kept for a day.
create table feedback_presses (
  user_id uuid not null references users on delete cascade,
  feedback_id uuid not null references feedback on delete cascade,
  key text not null,
  has_voted boolean not null,
  upvotes integer not null,
  created_at timestamptz(3) not null default now(),
  primary key (user_id, feedback_id, key)
);
create index feedback_presses_feedback_id_idx on feedback_presses (feedback_id);
create index feedback_presses_created_at_idx on feedback_presses (created_at);
