-- A support request. It belongs to the user who was signed in, else to an email address that nobody has verified.
create table support_tickets (
  id uuid primary key default gen_random_uuid(),
  number integer generated always as identity (start with 1001),
  user_id uuid references users on delete cascade,
  name text not null,
  email text not null,
  category text not null,
  subject text not null,
  message text not null,
  status text not null default 'open',
  -- The feedback that an admin turned into this request, so that its author can be answered.
  feedback_id uuid references feedback on delete set null,
  created_at timestamptz(3) not null default now(),
  -- The latest message of the requester, and the latest answer to them.
  asked_at timestamptz(3) not null default now(),
  answered_at timestamptz(3),
  constraint support_tickets_number_key unique (number),
  constraint support_tickets_category_is_known check (
    category in ('general', 'technical', 'billing', 'feature_request', 'bug_report', 'other')
  ),
  constraint support_tickets_status_is_known check (status in ('open', 'in_progress', 'resolved', 'closed')),
  constraint support_tickets_are_bounded check (
    length(name) <= 100 and length(email) <= 254 and length(subject) <= 150 and length(message) <= 2500
  )
);
create unique index support_tickets_feedback_id_idx on support_tickets (feedback_id) where feedback_id is not null;
create index support_tickets_user_id_idx on support_tickets (user_id, created_at, id) where user_id is not null;
create index support_tickets_asked_at_idx on support_tickets (asked_at, id);
create index support_tickets_status_idx on support_tickets (status, asked_at, id);
-- The same request sent twice is looked for among the latest of an address.
create index support_tickets_email_idx on support_tickets (email, created_at) where user_id is null;
-- Requests without an account are deleted some time after their last message.
create index support_tickets_last_word_idx on support_tickets (greatest(asked_at, answered_at)) where user_id is null;
create index support_tickets_words_idx on support_tickets
  using gin ((subject || ' ' || message || ' ' || name || ' ' || email) gin_trgm_ops);

-- Messages of the requester, answers of admins to them, and notes among admins.
create table support_replies (
  id uuid primary key default gen_random_uuid(),
  ticket_id uuid not null references support_tickets on delete cascade,
  kind text not null,
  admin_id uuid references users on delete set null,
  message text not null,
  created_at timestamptz(3) not null default now(),
  constraint support_replies_kind_is_known check (kind in ('asker', 'answer', 'note')),
  constraint support_replies_are_bounded check (length(message) <= 5000)
);
create index support_replies_ticket_id_idx on support_replies (ticket_id, created_at, id);
create index support_replies_admin_id_idx on support_replies (admin_id) where admin_id is not null;

-- Templates of answers, shared by all admins.
create table saved_replies (
  id uuid primary key default gen_random_uuid(),
  title text not null,
  message text not null,
  constraint saved_replies_are_bounded
    check (length(title) >= 1 and length(title) <= 80 and length(message) >= 1 and length(message) <= 5000)
);
create unique index saved_replies_title_idx on saved_replies (lower(title));
