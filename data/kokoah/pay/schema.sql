-- The database that `krules import` makes. The first ten tables are the inputs of rules/kokoah/pay; numbers are TEXT, as written, so
-- that no digit is lost; times are whole milliseconds. The other tables remember what was read, and from what.

CREATE TABLE IF NOT EXISTS identity (miner TEXT NOT NULL, linked_at INTEGER NOT NULL, hotkey TEXT, coldkey TEXT, address TEXT, master TEXT, unlinked_at INTEGER, PRIMARY KEY (miner, linked_at)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fill (address TEXT NOT NULL, time INTEGER NOT NULL, coin TEXT NOT NULL, tid TEXT NOT NULL, side TEXT NOT NULL, px TEXT, sz TEXT, start_position TEXT, mark TEXT, counterparty TEXT, builder TEXT, market TEXT, PRIMARY KEY (address, time, coin, tid, side)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS value_point (address TEXT NOT NULL, time INTEGER NOT NULL, value TEXT, first TEXT, PRIMARY KEY (address, time)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS flow (address TEXT NOT NULL, time INTEGER NOT NULL, usd TEXT);
CREATE TABLE IF NOT EXISTS transfer (sender TEXT NOT NULL, receiver TEXT NOT NULL, time INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS candle (coin TEXT NOT NULL, span TEXT NOT NULL, time INTEGER NOT NULL, close TEXT, volume TEXT, PRIMARY KEY (coin, span, time)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS position (address TEXT NOT NULL, coin TEXT NOT NULL, day TEXT NOT NULL, size TEXT, PRIMARY KEY (address, coin, day)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS fill_read (address TEXT NOT NULL, day TEXT NOT NULL, count TEXT, complete TEXT, PRIMARY KEY (address, day)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS agent (miner TEXT NOT NULL, day TEXT NOT NULL, verified TEXT, PRIMARY KEY (miner, day)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS pool_rate (day TEXT NOT NULL, block TEXT NOT NULL, tao_per_alpha TEXT, PRIMARY KEY (day, block)) WITHOUT ROWID;

-- What a fill's record says beside the rule's columns. exchange_tid: empty where the record has none; the fill's tid is then a negative
-- number made of its content. mark_from: 'answer' when the record itself gave the mark.
CREATE TABLE IF NOT EXISTS fill_detail (address TEXT NOT NULL, time INTEGER NOT NULL, coin TEXT NOT NULL, tid TEXT NOT NULL, side TEXT NOT NULL, exchange_tid TEXT NOT NULL, oid TEXT, hash TEXT, crossed TEXT, dir TEXT, closed_pnl TEXT, fee TEXT, builder_fee TEXT, fee_token TEXT, mark_from TEXT, PRIMARY KEY (address, time, coin, tid, side)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS fill_trade ON fill_detail (time, coin, exchange_tid);
CREATE INDEX IF NOT EXISTS fill_unattributed ON fill (time) WHERE builder IS NULL;
-- Rows of the builder's day files, and the days they are of.
CREATE TABLE IF NOT EXISTS builder_fill (address TEXT NOT NULL, time INTEGER NOT NULL, coin TEXT NOT NULL, side TEXT NOT NULL, px TEXT NOT NULL, sz TEXT NOT NULL, counterparty TEXT NOT NULL, PRIMARY KEY (address, time, coin, side, px, sz, counterparty)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS builder_day (day TEXT NOT NULL PRIMARY KEY) WITHOUT ROWID;
-- Recorded mark prices.
CREATE TABLE IF NOT EXISTS mark (coin TEXT NOT NULL, time INTEGER NOT NULL, px TEXT NOT NULL, PRIMARY KEY (coin, time)) WITHOUT ROWID;
-- All value points read; value_point leaves out the inner ones of days whose flows are unknown. origin: an account's history began with it.
CREATE TABLE IF NOT EXISTS value_read (address TEXT NOT NULL, time INTEGER NOT NULL, value TEXT NOT NULL, origin INTEGER NOT NULL, PRIMARY KEY (address, time)) WITHOUT ROWID;
-- Records of the ledger. usd: what it moved on the main perpetuals' account; NULL: not known.
CREATE TABLE IF NOT EXISTS ledger_record (address TEXT NOT NULL, time INTEGER NOT NULL, hash TEXT NOT NULL, kind TEXT NOT NULL, content TEXT NOT NULL, number INTEGER NOT NULL, usd TEXT, PRIMARY KEY (address, time, hash, kind, content, number)) WITHOUT ROWID;
-- What a candle says beside the rule's columns. open: it was the last of its answer, which may have been given before the candle ended.
CREATE TABLE IF NOT EXISTS candle_detail (coin TEXT NOT NULL, span TEXT NOT NULL, time INTEGER NOT NULL, trades INTEGER, open INTEGER NOT NULL, PRIMARY KEY (coin, span, time)) WITHOUT ROWID;
-- Positions as read, and which reading `position` shows of a day: the first after its end.
CREATE TABLE IF NOT EXISTS state_read (address TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (address, time)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS state_position (address TEXT NOT NULL, time INTEGER NOT NULL, coin TEXT NOT NULL, size TEXT NOT NULL, PRIMARY KEY (address, time, coin)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS position_read (address TEXT NOT NULL, day TEXT NOT NULL, time INTEGER NOT NULL, PRIMARY KEY (address, day)) WITHOUT ROWID;
-- What an address is: user, vault, agent, subAccount (of master), missing.
CREATE TABLE IF NOT EXISTS role_read (address TEXT NOT NULL, role TEXT NOT NULL, master TEXT NOT NULL, PRIMARY KEY (address, role, master)) WITHOUT ROWID;
-- One row an answer: what it was, and the stretch of time [from_ms, to_ms) that it tells all about. read_at 0: not known.
-- cut_before, cut_after: more lies behind that edge.
CREATE TABLE IF NOT EXISTS read_log (kind TEXT NOT NULL, address TEXT NOT NULL, coin TEXT NOT NULL, span TEXT NOT NULL, from_ms INTEGER NOT NULL, to_ms INTEGER NOT NULL, read_at INTEGER NOT NULL, sha256 TEXT NOT NULL, cut_before INTEGER NOT NULL, cut_after INTEGER NOT NULL, records INTEGER NOT NULL, PRIMARY KEY (kind, address, coin, span, from_ms, to_ms, read_at, sha256)) WITHOUT ROWID;
-- Days of which something is known to be missing: what ('flow'), and why.
CREATE TABLE IF NOT EXISTS gap (address TEXT NOT NULL, day TEXT NOT NULL, what TEXT NOT NULL, reason TEXT NOT NULL, PRIMARY KEY (address, day, what, reason)) WITHOUT ROWID;
-- Choices that hold for the whole database: how fills are attributed to the builder.
CREATE TABLE IF NOT EXISTS setting (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
