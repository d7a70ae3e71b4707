-- The identity provider for whose access token a ticket was issued to a program; '' for another credential.
ALTER TABLE ticket_origins ADD COLUMN token_provider TEXT NOT NULL DEFAULT '';
