-- What the call of a program was answered, for as long as its key stands for that. `name` is a hash of who called what with
-- which key; nobody has an account whose call is of none.
create table kept_answers (
  name text primary key,
  user_id uuid references users on delete cascade,
  status smallint not null,
  sealed text not null,
  created_at timestamptz(3) not null
);
create index kept_answers_user_id_idx on kept_answers (user_id) where user_id is not null;
create index kept_answers_created_at_idx on kept_answers (created_at);

-- It takes the place of the keys that each table kept for itself.
drop table feedback_presses;
alter table feedback drop column asked_as;
alter table support_tickets drop column asked_as;
