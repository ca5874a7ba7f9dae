/**
 * `DATABASE_URL=… npm run citus`: lists the objects of a migrated database that are in the way of distributing its tables by
 * account with Citus. Exits with 1 if docs/scale.md explains others than these.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { compare, readExplained } from './explained.js';
import { findObstacles } from './obstacles.js';

const PAGE = new URL('../../docs/scale.md', import.meta.url);

const client = new pg.Client({ connectionString: process.env.DATABASE_URL });
await client.connect();
const found = await findObstacles(async (sql) => (await client.query(sql)).rows);
await client.end();

for (const { rule, name } of found) console.log(`${rule}: ${name}`);
const { unexplained, gone } = compare(found, readExplained(readFileSync(PAGE, 'utf8')));
for (const each of unexplained) console.error(`docs/scale.md does not explain: ${each}`);
for (const each of gone) console.error(`docs/scale.md explains what is gone: ${each}`);
if (unexplained.length + gone.length > 0) process.exitCode = 1;
