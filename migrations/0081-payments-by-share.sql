-- What was paid for a request that stands no more is taken in for as much of a month as the full price says, without the
-- credit and the promotion that the request had.
alter table payments add column by_share boolean not null default false;
