-- How often what a post says was changed: whoever began from an older one overwrites nothing.
alter table posts add column revision integer not null default 0;
