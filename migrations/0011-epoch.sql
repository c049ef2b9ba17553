-- Which database this is: the cluster, the database in it, and its line of history, which a promotion or a
-- restore to a point in time begins anew. What a managed server does not tell is '-'.
create function publishing_server() returns text language plpgsql stable as $$
declare
  cluster text := '-';
  line text := '-';
begin
  begin
    select system_identifier into cluster from pg_control_system();
  exception when insufficient_privilege or feature_not_supported or object_not_in_prerequisite_state then
  end;
  begin
    line := left(pg_walfile_name(pg_current_wal_lsn()), 8);
  exception when insufficient_privilege or feature_not_supported or object_not_in_prerequisite_state then
  end;
  return cluster || '.' || (select oid from pg_database where datname = current_database()) || '.' || line;
end
$$;

-- A restored backup, a promoted replica and a copy differ from what stands here, or from what a process has
-- seen: nothing is published until an operator has looked (npm run resume-publishing). `beat` grows each
-- minute; `epoch` (milliseconds since 1970) is set anew at each release.
create table publishing_epoch (
  id boolean primary key default true,
  server text not null,
  epoch bigint not null,
  beat bigint not null default 0,
  constraint publishing_epoch_is_one_row check (id)
);
insert into publishing_epoch (server, epoch)
values (publishing_server(), floor(extract(epoch from clock_timestamp()) * 1000));
