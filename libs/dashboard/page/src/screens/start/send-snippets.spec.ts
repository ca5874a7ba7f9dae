import { spawnSync } from 'node:child_process';
import { sendSnippets } from './send-snippets';

const codeOf = (language: string) =>
  sendSnippets('http://127.0.0.1:3000/', 're_key').find(({ title }) => title === language)?.text ?? '';

describe('sendSnippets', () => {
  it.each(['cURL', 'Node', 'Python'])('have the address and the key: %s', (language) => {
    expect(codeOf(language)).toContain('http://127.0.0.1:3000/emails');
    expect(codeOf(language)).toContain('Bearer re_key');
  });

  it('are programs without a mistake', () => {
    expect(spawnSync('node', ['--input-type=module', '--check', '-'], { input: codeOf('Node') }).status).toBe(0);
    const compile = 'import sys; compile(sys.stdin.read(), "send.py", "exec")';
    expect(spawnSync('python3', ['-c', compile], { input: codeOf('Python') }).status).toBe(0);
    expect(spawnSync('bash', ['-n'], { input: codeOf('cURL') }).status).toBe(0);
  });
});
