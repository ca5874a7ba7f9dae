import { curlOf } from '../../parts/curl';

/** The email that the snippets send. */
export const FIRST_EMAIL = {
  from: 'Acme <acme@example.com>',
  to: 'delivered@example.com',
  subject: 'Hello',
  html: '<p>It <b>works</b>.</p>',
};

/** A snippet that sends an email when it is pasted. */
export interface SendSnippet {
  name: 'curl' | 'node' | 'python' | 'nest';
  title: string;
  text: string;
}

/**
 * Snippets with the address of this host and a key.
 *
 * @param token Default: a placeholder
 */
export function sendSnippets(apiUrl: string, token = 'YOUR_API_KEY'): readonly SendSnippet[] {
  const url = `${apiUrl.replace(/\/$/, '')}/emails`;
  return [
    { name: 'curl', title: 'cURL', text: curlOf(apiUrl, 'POST', 'emails', FIRST_EMAIL, token) },
    { name: 'node', title: 'Node', text: node(url, token) },
    { name: 'python', title: 'Python', text: python(url, token) },
    { name: 'nest', title: 'Nest', text: NEST },
  ];
}

const literal = (value: string) => JSON.stringify(value);

function node(url: string, token: string): string {
  const body = Object.entries(FIRST_EMAIL).map(([name, value]) => `    ${name}: ${literal(value)},`);
  return `const response = await fetch(${literal(url)}, {
  method: "POST",
  headers: { authorization: ${literal(`Bearer ${token}`)}, "content-type": "application/json" },
  body: JSON.stringify({
${body.join('\n')}
  }),
});
console.log(response.status, await response.json());`;
}

function python(url: string, token: string): string {
  const body = Object.entries(FIRST_EMAIL).map(([name, value]) => `    ${literal(name)}: ${literal(value)},`);
  return `import json, urllib.request

email = {
${body.join('\n')}
}
request = urllib.request.Request(
    ${literal(url)},
    json.dumps(email).encode(),
    {"Authorization": ${literal(`Bearer ${token}`)}, "Content-Type": "application/json"},
)
print(urllib.request.urlopen(request).read().decode())`;
}

const NEST = `import { Injectable } from '@nestjs/common';
import { EmailsService } from 'nestjs-emails';

@Injectable()
export class WelcomeMail {
  constructor(private readonly emails: EmailsService) {}

  welcome(to: string) {
    return this.emails.send('acme', {
      from: ${literal(FIRST_EMAIL.from)},
      to,
      subject: ${literal(FIRST_EMAIL.subject)},
      html: ${literal(FIRST_EMAIL.html)},
    });
  }
}`;
