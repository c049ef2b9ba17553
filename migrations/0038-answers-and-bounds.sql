-- Which of the questions to new users a fact answers, so that the answer stands where it was given.
alter table facts add column question smallint;
alter table facts add constraint facts_question_range check (question between 1 and 5);
create unique index facts_question_key on facts (user_id, question) where question is not null;

-- The same bounds as in the forms, of which characters count by their UTF-16 units: never fewer than here.
alter table facts add constraint facts_content_length check (char_length(content) <= 300);
alter table voices add constraint voices_audience_length check (char_length(audience) <= 200);
alter table voices add constraint voices_words_to_use_count check (cardinality(words_to_use) <= 30);
alter table voices add constraint voices_words_to_avoid_count check (cardinality(words_to_avoid) <= 30);
