import { readFileSync } from 'node:fs';
import type { RunningHost } from '../hosts/running-host.js';
import type { Shape } from '../rules/shape.js';
import type { Answer } from './http-request.js';

/** What an official client sends for a call. In `path`, `body` and `needs`, `{{a step.key}}` is a key of its answer. */
export interface RecordedStep {
  name: string;
  /** As a user of the client writes it. */
  call: string;
  /** The API key, where it is not that of the host. */
  key?: string;
  method: string;
  path: string;
  /** Those that could matter, without `authorization`. */
  headers: Record<string, string>;
  /** The text as it was sent; absent: no body. */
  body?: string;
  /** What the client needs of the answer to give its user what it promises. */
  answer: { status: number; needs: Shape };
  /** What the mail server gets by it; `attachments` are base64 by name. */
  mail?: { subject: string; attachments: Record<string, string> };
  /** What the client makes of an answer that is an error. */
  tells?: string;
}

export interface Recording {
  sdk: string;
  version: string;
  /** Recorded with the client itself (`sdk`) or with parts of its source, and how. */
  recorded: { from: 'sdk' | 'source'; how: string };
  /** In their order, which matters. */
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
