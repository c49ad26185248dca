CREATE TABLE events (
	seq BIGINT NOT NULL,
	study VARCHAR NOT NULL,
	rater VARCHAR NOT NULL,
	id VARCHAR(36) NOT NULL,
	kind VARCHAR NOT NULL,
	at VARCHAR NOT NULL,
	received VARCHAR NOT NULL,
	body TEXT NOT NULL,
	PRIMARY KEY (seq),
	CONSTRAINT one_event_once UNIQUE (study, rater, id)
);

CREATE INDEX events_of_a_rater ON events (study, rater, seq);

CREATE TABLE answers (
	study VARCHAR NOT NULL,
	rater VARCHAR NOT NULL,
	step INTEGER NOT NULL,
	question VARCHAR NOT NULL,
	unit VARCHAR NOT NULL,
	value TEXT NOT NULL,
	seconds FLOAT,
	at VARCHAR NOT NULL,
	seq BIGINT NOT NULL,
	n_given INTEGER NOT NULL,
	PRIMARY KEY (study, rater, step, question)
);

CREATE TABLE raters (
	study VARCHAR NOT NULL,
	rater VARCHAR NOT NULL,
	set_number INTEGER,
	first_at VARCHAR NOT NULL,
	last_at VARCHAR NOT NULL,
	completed_at VARCHAR,
	PRIMARY KEY (study, rater)
);

CREATE TABLE server_keys (
	name VARCHAR NOT NULL,
	value VARCHAR NOT NULL,
	PRIMARY KEY (name)
);

CREATE TABLE researchers (
	name VARCHAR NOT NULL,
	password_hash VARCHAR NOT NULL,
	made_at VARCHAR NOT NULL,
	PRIMARY KEY (name)
);

CREATE TABLE visits (
	token_hash VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	study VARCHAR NOT NULL,
	who VARCHAR NOT NULL,
	made_at VARCHAR NOT NULL,
	expires_at VARCHAR NOT NULL,
	PRIMARY KEY (token_hash)
);

CREATE TABLE members (
	study VARCHAR NOT NULL,
	name VARCHAR NOT NULL,
	role VARCHAR NOT NULL,
	made_at VARCHAR NOT NULL,
	PRIMARY KEY (study, name)
);

CREATE TABLE invitations (
	study VARCHAR NOT NULL,
	rater VARCHAR NOT NULL,
	attributes TEXT NOT NULL,
	made_at VARCHAR NOT NULL,
	revoked_at VARCHAR,
	PRIMARY KEY (study, rater)
);

CREATE TABLE targets (
	study VARCHAR NOT NULL,
	width FLOAT NOT NULL,
	PRIMARY KEY (study)
);

CREATE TABLE decisions (
	seq INTEGER NOT NULL,
	id VARCHAR(36) NOT NULL,
	study VARCHAR NOT NULL,
	unit VARCHAR NOT NULL,
	question VARCHAR NOT NULL,
	value TEXT NOT NULL,
	adjudicator VARCHAR NOT NULL,
	comment TEXT NOT NULL,
	is_unclear BOOLEAN NOT NULL,
	seen BIGINT NOT NULL,
	at VARCHAR NOT NULL,
	PRIMARY KEY (seq),
	UNIQUE (id)
);

CREATE INDEX ix_decisions_study ON decisions (study);
