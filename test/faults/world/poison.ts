import type pg from 'pg';

/** Step that fails for a poisoned email. */
export type Poison = 'store' | 'lease' | 'close' | 'open attempt' | 'close attempt' | 'record event';

/** The trigger that prevents it, up to the name of its function. */
const TRIGGERS: Record<Poison, { table: string; moment: string; when: string }> = {
  store: { table: 'emails', moment: 'INSERT', when: 'true' },
  lease: { table: 'deliveries', moment: 'UPDATE', when: 'true' },
  close: { table: 'deliveries', moment: 'UPDATE', when: 'NEW.fence = OLD.fence' },
  'open attempt': { table: 'attempts', moment: 'INSERT', when: 'true' },
  'close attempt': { table: 'attempts', moment: 'UPDATE', when: 'true' },
  'record event': { table: 'events', moment: 'INSERT', when: "NEW.type <> 'queued'" },
};

const CABINET = `
CREATE TABLE IF NOT EXISTS public.poison (name text NOT NULL, poison text NOT NULL, sqlstate text NOT NULL);
GRANT SELECT ON public.poison TO PUBLIC;
CREATE OR REPLACE FUNCTION public.refuse() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  row jsonb := to_jsonb(NEW);
  found text;
BEGIN
  SELECT p.sqlstate INTO found FROM public.poison p
  WHERE p.poison = TG_ARGV[0] AND p.name IN (row->>'email_id', row->>'subject');
  IF found IS NOT NULL THEN RAISE EXCEPTION 'refused by a stranger' USING ERRCODE = found; END IF;
  RETURN NEW;
END $$`;

/**
 * From now on PostgreSQL refuses this step for one email, with an error.
 *
 * @param name id of the email, or its subject
 */
export async function poison(pool: pg.Pool, kind: Poison, name: string, sqlstate: string): Promise<void> {
  const { table, moment, when } = TRIGGERS[kind];
  await pool.query(CABINET);
  await pool.query('INSERT INTO public.poison VALUES ($1, $2, $3)', [name, kind, sqlstate]);
  await pool.query(
    `CREATE OR REPLACE TRIGGER "poison: ${kind}" BEFORE ${moment} ON nestjs_emails.${table}
     FOR EACH ROW WHEN (${when}) EXECUTE FUNCTION public.refuse('${kind}')`,
  );
}

/** Removes all poison. */
export async function cure(pool: pg.Pool): Promise<void> {
  await pool.query('DELETE FROM public.poison');
}
