import { readFileSync } from 'node:fs';
import type { RunningHost } from '../hosts/running-host.js';
import type { Shape } from '../rules/shape.js';
import type { Answer } from './http-request.js';

/** Request of an official client for a call. In `path`, `body` and `needs`, `{{a step.key}}` is a key of its answer. */
export interface RecordedStep {
  name: string;
  /** In the form of a user of the client. */
  call: string;
  /** The API key, if it is not that of the host. */
  key?: string;
  method: string;
  path: string;
  /** Relevant headers, without `authorization`. */
  headers: Record<string, string>;
  /** The sent text; absent: no body. */
  body?: string;
  /** Parts of the answer that the client needs. */
  answer: { status: number; needs: Shape };
  /** The message that the mail server gets; `attachments` are base64 by name. */
  mail?: { subject: string; attachments: Record<string, string> };
  /** The client's error for an error answer. */
  tells?: string;
}

export interface Recording {
  sdk: string;
  version: string;
  /** Recorded with the client itself (`sdk`) or with parts of its source, and how. */
  recorded: { from: 'sdk' | 'source'; how: string };
  /** In order. */
  steps: RecordedStep[];
}

/** A file of `test/clients`. */
export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`../../clients/${name}.json`, import.meta.url), 'utf8'));
}

/** Plays a recording against a host, step by step. */
export class Player {
  private readonly answers = new Map<string, Record<string, unknown>>();

  constructor(private readonly host: RunningHost) {}

  async play(step: RecordedStep): Promise<Answer<Record<string, unknown>>> {
    const chunked = step.headers['transfer-encoding'] !== undefined;
    const answer = await this.host.request(step.method, this.filled(step.path), {
      headers: { ...step.headers, ...(chunked && { 'content-length': undefined }) },
      ...(step.body !== undefined && { body: this.filled(step.body) }),
      ...(step.key !== undefined && { token: step.key }),
    });
    this.answers.set(step.name, answer.body);
    return answer;
  }

  needs(step: RecordedStep): Shape {
    return JSON.parse(this.filled(JSON.stringify(step.answer.needs)));
  }

  private filled(text: string): string {
    return text.replaceAll(/\{\{([a-z ]+)\.([a-z_]+)\}\}/g, (_, step: string, key: string) => {
      const value = this.answers.get(step)?.[key];
      if (typeof value !== 'string') throw new Error(`The answer to \`${step}\` has no \`${key}\`.`);
      return value;
    });
  }
}
