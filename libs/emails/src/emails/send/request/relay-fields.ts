/**
 * Fields by which relays repeat an email's id in their events (feedback, section D3). A caller's own fields stay in force, so
 * an id in them would give one account's reports to the email of another.
 */
const FIELDS = /^(x-smtpapi|x-mailgun-variables|x-ses-message-tags)$/i;
const OF_POSTMARK = /^x-pm-metadata-email[_-]id$/i;
const ID = 'email_id';

/** True for a field that would name the email of a relay's reports. */
export function namesEmail(name: string, value: string): boolean {
  if (OF_POSTMARK.test(name)) return true;
  if (!FIELDS.test(name)) return false;
  return value.toLowerCase().includes(ID) || hasKey(value);
}

/** True for JSON with the key, however its characters are written, and for a text with escapes that is no JSON. */
function hasKey(text: string): boolean {
  try {
    let found = false;
    JSON.parse(text, (key, value) => {
      found ||= key.toLowerCase() === ID;
      return value;
    });
    return found;
  } catch {
    return /\\u/i.test(text);
  }
}
