-- It was sent by hand before its owner had approved it: by itself it goes out only when they have.
alter table deliveries add column needs_approval boolean not null default false;
