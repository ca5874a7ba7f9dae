import { readFileSync } from 'node:fs';
import { compare, readExplained } from '../scale/explained.js';
import { findObstacles } from '../scale/obstacles.js';
import { freshDatabase } from '../support/servers/postgres.js';

/** An object for each rule that the schema keeps, and two that break none. */
const BROKEN = `
CREATE COLLATION nestjs_emails.loose (provider = icu, locale = 'und', deterministic = false);
CREATE TABLE nestjs_emails.probe (
  account_id text, n integer GENERATED ALWAYS AS IDENTITY, period int4range,
  CONSTRAINT probe_pkey PRIMARY KEY (account_id, n),
  CONSTRAINT probe_copy FOREIGN KEY (account_id, n) REFERENCES nestjs_emails.probe,
  CONSTRAINT probe_period EXCLUDE USING gist (period WITH &&)
);
CREATE RULE probe_rule AS ON DELETE TO nestjs_emails.probe DO INSTEAD NOTHING;
CREATE POLICY probe_policy ON nestjs_emails.probe;
CREATE TABLE nestjs_emails.probe_null (account_id text);
CREATE TABLE nestjs_emails.probe_number (account_id bigint NOT NULL);
CREATE TABLE nestjs_emails.probe_generated (id text, account_id text GENERATED ALWAYS AS (id) STORED NOT NULL);
CREATE TABLE nestjs_emails.probe_loose (account_id text COLLATE nestjs_emails.loose NOT NULL);
CREATE TABLE nestjs_emails.probe_months (account_id text NOT NULL, at date, part integer,
  CONSTRAINT probe_months_at UNIQUE (at, part), CONSTRAINT probe_months_part UNIQUE (account_id, at, part)) PARTITION BY RANGE (at);
CREATE TABLE nestjs_emails.probe_month PARTITION OF nestjs_emails.probe_months DEFAULT PARTITION BY LIST (part);
CREATE TABLE nestjs_emails.probe_part PARTITION OF nestjs_emails.probe_month DEFAULT`;

/** Citus is not installed here: the rules are those that docs/scale.md cites. */
describe('the obstacles to distributing the tables by account', () => {
  it('are those that docs/scale.md explains', async () => {
    const { query } = await freshDatabase();
    const explained = readExplained(readFileSync(new URL('../../docs/scale.md', import.meta.url), 'utf8'));
    expect(compare(await findObstacles(query), explained)).toEqual({ unexplained: [], gone: [] });
  });

  it('include an object that breaks a rule', async () => {
    const { query } = await freshDatabase();
    const before = await findObstacles(query);
    await query(BROKEN);
    expect(compare(await findObstacles(query), before)).toEqual({
      unexplained: [
        'exclusion probe_period',
        'generated account probe_generated',
        'loose collation probe_loose',
        'narrow sequence probe.n',
        'nullable account probe_null',
        'other account type probe_number',
        'partition of a partition probe_month',
        'rewrite rule probe.probe_rule',
        'row security probe.probe_policy',
        'unique key probe_months_at',
      ],
      gone: [],
    });
  });
});
