-- Why a post failed, as a code: what decides reads this, and `reason` is only shown. Its codes are those of
-- app/domain/posts/failures.ts.
alter table posts add column failure text;
update posts set failure = case
  when reason = 'LinkedIn says that you already posted this text. Change it and try again' then 'duplicate'
  when reason = 'LinkedIn does not allow us to post for you. Connect LinkedIn again and allow posting' then 'forbidden'
  when reason = 'LinkedIn could not read the picture. Choose another one' then 'unreadable'
  when reason = 'LinkedIn refused the picture' then 'refused_picture'
  when reason = 'LinkedIn says that the post is too large. Choose a smaller picture' then 'too_large'
  when reason = 'The picture is too large for LinkedIn. Choose a smaller one' then 'too_large_picture'
  when reason = 'LinkedIn says that the text is too long. Shorten it and try again' then 'too_long'
  when reason = 'LinkedIn does not take an empty post. Write something and try again' then 'empty'
  when reason = 'LinkedIn did not take it. Try again' then 'not_taken'
  when reason = 'LinkedIn could not be reached in time' then 'too_late'
  when reason = 'You did not approve this post by its time, so it was set aside' then 'not_approved'
  when reason = 'You set this post aside, because its time passed while LinkedIn was not connected. Retry publishes it now'
    then 'not_wanted'
  when reason = 'LinkedIn did not confirm this post. Look at your profile before you try again' then 'unconfirmed'
  when reason like 'LinkedIn refused this post%' then 'refused'
  when reason ilike '%picture%' then 'no_picture'
end where status = 'failed';

-- When the refresh token ends, where LinkedIn has said so. After that no access token can be renewed.
alter table linkedin_connections add column refresh_expires_at timestamptz(3);
