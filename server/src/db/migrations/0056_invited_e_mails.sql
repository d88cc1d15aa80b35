-- Whether an e-mail is invited anywhere: asked when somebody comes from an identity provider without an account.
create index invitations_by_email on invitations (email_normal)
  where accepted_at is null and revoked_at is null;
