CREATE INDEX familiar_by_time ON familiar_addresses (last_login_at);
