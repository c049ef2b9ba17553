-- Which database this is: the cluster, the database in it, and its line of history, which a promotion or a
-- restore to a point in time begins anew.
create function publishing_server() returns text language sql stable as $$
  select (select system_identifier from pg_control_system())
    || '.' || (select oid from pg_database where datname = current_database())
    || '.' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
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
