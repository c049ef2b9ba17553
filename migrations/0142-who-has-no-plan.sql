-- Has a plan that is not over: one that is active, be it that it has yet to begin. Kept here, as admins read those without
-- one in the order of the accounts.
alter table users add column has_plan boolean not null default false;

create function keep_has_plan() returns trigger language plpgsql as $$
declare
  theirs uuid[] := array[old.user_id, new.user_id];
begin
  -- What another transaction does to the same user's payments is seen only by the statement after this.
  perform from users where id = any(theirs) order by id for no key update;
  update users set has_plan = not has_plan where id = any(theirs)
    and has_plan <> exists (select from payments where payments.user_id = users.id and status = 'active');
  return null;
end $$;

create trigger payments_has_plan after insert on payments
for each row when (new.status = 'active') execute function keep_has_plan();
create trigger payments_has_plan_otherwise after update on payments
for each row when ((old.user_id, old.status = 'active') is distinct from (new.user_id, new.status = 'active'))
execute function keep_has_plan();
create trigger payments_has_plan_no_more after delete on payments
for each row when (old.status = 'active') execute function keep_has_plan();
