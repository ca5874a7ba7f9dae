/** Refuses an email whose attachment content was deleted by an erasure after it was put. The caller sends it again. */
export const ERASED_CONTENTS = `
  -- Volatile, so that it sees what was committed since the statement began.
  CREATE OR REPLACE FUNCTION nestjs_emails.content_elsewhere(wanted text) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
  BEGIN
    IF EXISTS (SELECT FROM nestjs_emails.erased_contents WHERE hash = wanted)
      AND NOT EXISTS (SELECT FROM nestjs_emails.attachment_contents WHERE hash = wanted AND slice = 0) THEN
      RAISE EXCEPTION 'an erasure took the content away' USING ERRCODE = 'lock_not_available';
    END IF;
    RETURN wanted;
  END $$;
`;
