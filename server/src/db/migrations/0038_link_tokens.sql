-- What opens something is a word of its own in its link: the id of a session or a charge is shown in many places.

alter table checkout_sessions add column token text;
-- Links that were sent before open what they opened.
update checkout_sessions set token = id::text;
alter table checkout_sessions alter column token set not null;
drop index checkout_sessions_by_link;
create unique index checkout_sessions_by_link on checkout_sessions (token);

-- Names a waiting authentication on the sandbox's own page; null for a charge that asks for none.
alter table sandbox_charges add column action_token text;
update sandbox_charges set action_token = id::text where status = 'requires_action';
create unique index sandbox_charges_by_link on sandbox_charges (action_token) where action_token is not null;
