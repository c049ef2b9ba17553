-- When its owner approved or skipped it by the link in a mail, without being signed in.
alter table deliveries add column decided_by_mail_at timestamptz(3);

-- When its owner said whether its posts shall go out without asking, after many that were approved as they were written.
-- They are offered that once.
alter table topics add column trust_answered_at timestamptz(3);

-- The latest posts about a topic; a topic that is deleted looks for its posts by it, too.
create index posts_of_topic_idx on posts (topic_id, created_at desc);
drop index posts_topic_id_idx;
