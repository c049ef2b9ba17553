-- How many posts there are of everybody, wherever they stand; null until that has been counted.
alter table published_totals add column written integer;
