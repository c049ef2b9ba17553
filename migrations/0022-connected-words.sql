-- LinkedIn may not have been connected before: what a post that was set aside tells of itself names no second time.
update deliveries set reason = 'You set this post aside, because its time passed before LinkedIn was connected'
where failure = 'not_wanted';
