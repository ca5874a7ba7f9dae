/**
 * Clears the content of a sensitive email in the transaction that finishes it, by any statement. Its attachments are
 * stored under names of their own, so that no other email can refer to them.
 */
export const SENSITIVE = `
  CREATE OR REPLACE FUNCTION nestjs_emails.clear_sensitive() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    UPDATE nestjs_emails.emails SET html = NULL, text = NULL, headers = '[]' WHERE id = NEW.email_id;
    WITH detached AS (
      DELETE FROM nestjs_emails.attachments WHERE email_id = NEW.email_id RETURNING content_hash
    )
    DELETE FROM nestjs_emails.attachment_contents WHERE hash IN (SELECT content_hash FROM detached);
    RETURN NULL;
  END $$;

  CREATE OR REPLACE TRIGGER clear_sensitive AFTER UPDATE OF due_at ON nestjs_emails.deliveries FOR EACH ROW
    WHEN (NEW.sensitive AND NEW.due_at IS NULL AND OLD.due_at IS NOT NULL)
    EXECUTE FUNCTION nestjs_emails.clear_sensitive();
`;
