-- What admins did stays as it was written, also when the account of one is gone: their id goes on saying who it was.
alter table audit_log drop constraint audit_log_admin_id_fkey;
alter table payments drop constraint payments_verified_by_fkey;

-- Who paid is read from the payment, so that the log holds nobody's name.
update audit_log set detail = detail - 'payerName' - 'payerEmail' where detail ?| '{payerName,payerEmail}';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'Rows of % are added and never changed', tg_table_name using errcode = 'insufficient_privilege';
end $$;
create trigger audit_log_stays before update or delete or truncate on audit_log
for each statement execute function refuse_change();

create index audit_log_admin_id_idx on audit_log (admin_id, id desc);
create index audit_log_action_idx on audit_log (action, id desc);
