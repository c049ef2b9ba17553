-- When a browser last signed in to the account; null until the first. From then on a browser that is new is told to its owner.
alter table users add column signed_in_at timestamptz(3);
