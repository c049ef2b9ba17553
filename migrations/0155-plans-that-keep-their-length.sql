-- The rest of a plan, or one with days that an admin gave, is no whole month any more, wherever it is moved to.
alter table payments add column keeps_length boolean not null default false;
