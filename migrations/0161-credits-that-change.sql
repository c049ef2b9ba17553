-- A credit stands with the request and counts in `earnings` when its payment is verified. A hand that changes it afterwards
-- changes the sums as well: the old one is taken off before, the new one is added after.
create function keep_credit_earned() returns trigger language plpgsql as $$
begin
  -- What another transaction does to the payment is seen only by the statement after this.
  perform from payments where request_id = new.id and status <> 'rejected' for no key update;
  perform add_to_earnings(case tg_when when 'BEFORE' then -1 else 1 end, payments)
  from payments where request_id = new.id and status <> 'rejected';
  return new;
end $$;

create trigger payment_requests_earned before update on payment_requests
for each row when (old.credit_minor <> new.credit_minor) execute function keep_credit_earned();
create trigger payment_requests_earned_otherwise after update on payment_requests
for each row when (old.credit_minor <> new.credit_minor) execute function keep_credit_earned();
