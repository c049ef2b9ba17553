-- A connection is alive or expired; disconnecting removes its row.
alter table linkedin_connections drop constraint linkedin_connections_status_is_known;
alter table linkedin_connections
  add constraint linkedin_connections_status_is_known check (status in ('alive', 'expired'));

-- The sweep looks every minute for permissions that have run out.
create index linkedin_connections_ending_idx on linkedin_connections (expires_at)
  where status = 'alive' and refresh_token_sealed is null;
