import { MAX_LINE } from './limits-of-reports.js';

/** A header field, or one of a machine-readable report, which has the same form (RFC 3464 section 2.1). */
export interface Field {
  /** In lower case. */
  name: string;
  /** Unfolded. Up to 2 kB. */
  value: string;
}

const FIELD = /^([A-Za-z][\w-]{0,60})[ \t]*:[ \t]*(.*)$/;

/** The fields of a text in groups that empty lines separate. Other lines are skipped. */
export function fieldGroups(text: string): Field[][] {
  const groups: Field[][] = [];
  let group: Field[] = [];
  for (const line of linesOf(text)) {
    const last = group.at(-1);
    const [, name, value] = FIELD.exec(line) ?? [];
    if (line.trim() === '') {
      if (group.length > 0) groups.push(group);
      group = [];
    } else if (last && /^[ \t]/.test(line)) {
      if (last.value.length < MAX_LINE) last.value = `${last.value} ${line.trim()}`.slice(0, MAX_LINE);
    } else if (name !== undefined && value !== undefined) {
      group.push({ name: name.toLowerCase(), value: value.trim() });
    }
  }
  return group.length > 0 ? [...groups, group] : groups;
}

/** The value of the first field with this name. @param name in lower case */
export function fieldValue(fields: readonly Field[], name: string): string | undefined {
  return fields.find((field) => field.name === name)?.value;
}

/** The lines of a text, each cut to 2 kB. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\n|\r/).map((line) => line.slice(0, MAX_LINE));
}
