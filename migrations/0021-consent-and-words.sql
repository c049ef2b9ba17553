-- It was sent by hand before its owner had approved it: by itself it goes out only when they have.
alter table deliveries add column needs_approval boolean not null default false;

-- What a post that was set aside tells of itself names no button, whose word is another one now.
update deliveries set reason = 'You did not approve this post by its time, so it was set aside'
where failure = 'not_approved';
update deliveries set reason = 'You set this post aside, because its time passed before LinkedIn was connected again'
where failure = 'not_wanted';
