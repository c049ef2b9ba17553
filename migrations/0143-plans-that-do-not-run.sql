-- outside a transaction
set lock_timeout = '15min';
-- Whoever ends a plan holds its user, and waits from the first statement on: the second sees what they did before. Both
-- stand in one, which ends with its line.
do $$ begin
  perform from users where id in (select user_id from payments where status = 'active') order by id for no key update
  ; update users set has_plan = true
  where not has_plan and id in (select user_id from payments where status = 'active'); end $$;
drop index concurrently if exists users_without_plan_idx;
create index concurrently users_without_plan_idx on users (created_at desc, id desc) where not has_plan;
-- What of the active plans has not begun, or has another one in its place, is found without looking at the others.
drop index concurrently if exists payments_starts_at_idx;
create index concurrently payments_starts_at_idx on payments (starts_at) where status = 'active';
drop index concurrently if exists payments_interrupted_idx;
create index concurrently payments_interrupted_idx on payments (upper(interruptions)) where status = 'active';
-- What was received is read from sums (0144-earnings.sql).
drop index concurrently if exists payments_verified_at_idx;
reset lock_timeout;
