-- Wrong tries at the second step since the last right one, those of `tries` left out: with them the wait grows.
alter table second_step_tries add column wrong_before integer not null default 0;
