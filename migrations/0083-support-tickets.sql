-- What people ask us, and what was answered. Who was signed in when they asked owns it; everybody else is known by an
-- address that nobody has proved.
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
  created_at timestamptz(3) not null default now(),
  -- When who asks wrote last, and when one of us did to them.
  asked_at timestamptz(3) not null default now(),
  answered_at timestamptz(3),
  constraint support_tickets_number_key unique (number),
  constraint support_tickets_category_is_known check (category in ('general', 'technical', 'billing', 'feature_request', 'bug_report', 'other')),
  constraint support_tickets_status_is_known check (status in ('open', 'in_progress', 'resolved', 'closed')),
  constraint support_tickets_are_bounded check (length(name) <= 100 and length(email) <= 254 and length(subject) <= 150 and length(message) <= 2500)
);
create index support_tickets_user_id_idx on support_tickets (user_id, created_at, id) where user_id is not null;
create index support_tickets_asked_at_idx on support_tickets (asked_at, id);
create index support_tickets_status_idx on support_tickets (status, asked_at, id);
create index support_tickets_email_idx on support_tickets (email) where user_id is null;

-- Of who asked, of one of us to them, and notes among us.
create table support_replies (
  id uuid primary key default gen_random_uuid(),
  ticket_id uuid not null references support_tickets on delete cascade,
  kind text not null,
  -- The one of us who wrote it.
  admin_id uuid references users on delete set null,
  message text not null,
  created_at timestamptz(3) not null default now(),
  constraint support_replies_kind_is_known check (kind in ('asker', 'answer', 'note')),
  constraint support_replies_are_bounded check (length(message) <= 5000)
);
create index support_replies_ticket_id_idx on support_replies (ticket_id, created_at, id);
create index support_replies_admin_id_idx on support_replies (admin_id) where admin_id is not null;
