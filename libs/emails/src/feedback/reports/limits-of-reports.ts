/** Bytes of a report that are read. */
export const MAX_BYTES = 1_048_576;
/**
 * Lines of a report that are read. `postal-mime` keeps each line of a part as two pieces of a `Blob`, which takes some 15
 * microseconds a line, so that short lines cost far more than long ones. The parts of a report stand in front of the
 * returned message (RFC 3462), and are far shorter.
 */
export const MAX_LINES = 2_000;
/** Characters of a notice that are read. */
export const MAX_NOTICE = 65_536;
/** Characters of a notice in HTML that are read: marks take most of them. */
export const MAX_HTML = 262_144;
/** Characters of a line that are read. */
export const MAX_LINE = 2_048;
/** Levels of nested parts. Deeper ones are read without their structure. */
export const MAX_DEPTH = 50;
/** Bytes of header fields of all parts together: lists of addresses in them are read one by one. */
export const MAX_HEADERS = 65_536;
/** Parts that are read where the structure of a message is broken, one parse each. */
export const MAX_PIECES = 80;
/** Recipients of one report. An email has far fewer; further ones are ignored. */
export const MAX_RECIPIENTS = 200;
/** Recipients up to which the text about all of them is judged for each. */
export const MAX_SHARING = 50;
/** Characters of an address, RFC 5321 section 4.5.3.1.3. */
export const MAX_ADDRESS = 320;
