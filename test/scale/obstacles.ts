/** Sends SQL and returns the rows. */
type Query = <T extends object>(sql: string) => Promise<T[]>;

/** An object of the catalog that breaks a rule of Citus. */
export interface Obstacle {
  rule: string;
  /** Name of a table, index, constraint or policy; of a column or trigger, behind that of its table. */
  name: string;
}

/**
 * Objects in the way of distributing the tables of the schema by `account_id`. Tables without that column break the first
 * rule, and no rule about keys: they can only be reference tables, which are whole on every node. Partitions have the keys of
 * their table.
 *
 * Rules: "Creating and Modifying Distributed Objects", "SQL Support and Workarounds" and "Triggers on Distributed Tables" of
 * the Citus documentation, and `EnsureRelationCanBeDistributed` of its source, which docs/scale.md cites with dates.
 */
const OBSTACLES = `
WITH tables AS (
  SELECT c.oid, c.relname AS name, c.relkind AS kind, c.relispartition AS is_partition,
    a.attnum AS account, a.atttypid AS type, a.attcollation AS collated, a.attgenerated AS generated, a.attnotnull AS filled
  FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'account_id' AND NOT a.attisdropped
  WHERE c.relnamespace = 'nestjs_emails'::regnamespace AND c.relkind IN ('r', 'p')
), whole AS (
  SELECT * FROM tables WHERE NOT is_partition
)
SELECT 'no account' AS rule, name::text FROM whole WHERE account IS NULL

UNION ALL
SELECT 'other account type', name FROM whole WHERE type <> (SELECT type FROM whole WHERE name = 'emails')

UNION ALL
SELECT 'nullable account', name FROM whole WHERE NOT filled

UNION ALL
SELECT 'generated account', name FROM whole WHERE generated <> ''

UNION ALL
SELECT 'loose collation', name FROM whole JOIN pg_collation c ON c.oid = collated WHERE NOT c.collisdeterministic

UNION ALL
SELECT 'unique key', i.relname
FROM whole t JOIN pg_index x ON x.indrelid = t.oid JOIN pg_class i ON i.oid = x.indexrelid
WHERE x.indisunique AND t.account IS NOT NULL
  AND t.account <> ALL ((x.indkey::smallint[])[0:x.indnkeyatts - 1])

UNION ALL
SELECT 'exclusion', k.conname
FROM whole t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'x'
WHERE t.account IS NOT NULL AND NOT EXISTS (
  SELECT FROM unnest(k.conkey, k.conexclop) AS part (attnum, operator) JOIN pg_operator o ON o.oid = part.operator
  WHERE part.attnum = t.account AND o.oprname = '=')

UNION ALL
SELECT 'foreign key', k.conname
FROM whole t JOIN pg_constraint k ON k.conrelid = t.oid AND k.contype = 'f' JOIN whole f ON f.oid = k.confrelid
WHERE f.account IS NOT NULL AND NOT EXISTS (
  SELECT FROM unnest(k.conkey, k.confkey) AS pair (here, there) WHERE pair.here = t.account AND pair.there = f.account)

UNION ALL
SELECT 'trigger', t.name || '.' || g.tgname
FROM whole t JOIN pg_trigger g ON g.tgrelid = t.oid WHERE NOT g.tgisinternal

UNION ALL
SELECT CASE a.atttypid WHEN 'bigint'::regtype THEN 'sequence' ELSE 'narrow sequence' END, t.name || '.' || a.attname
FROM whole t JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_attrdef d ON d.adrelid = t.oid AND d.adnum = a.attnum
WHERE a.attidentity <> '' OR pg_get_expr(d.adbin, d.adrelid) LIKE 'nextval(%'

UNION ALL
SELECT 'rewrite rule', t.name || '.' || r.rulename FROM whole t JOIN pg_rewrite r ON r.ev_class = t.oid

UNION ALL
SELECT 'row security', t.name || '.' || p.polname FROM whole t JOIN pg_policy p ON p.polrelid = t.oid

UNION ALL
SELECT 'partition of a partition', name FROM tables WHERE kind = 'p' AND is_partition

ORDER BY 1, 2`;

export function findObstacles(query: Query): Promise<Obstacle[]> {
  return query<Obstacle>(OBSTACLES);
}
