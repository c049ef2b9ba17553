-- The local month in which a run was begun: free posts are counted in it, wherever their user's clock stands later. Of
-- runs from before this only the instant is known.
alter table runs add column asked_month text;
