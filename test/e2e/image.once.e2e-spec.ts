import { readDockerfile } from '../support/hosts/dockerfile.js';
import { NODE_ARGUMENTS } from '../support/hosts/node-arguments.js';

describe('the image', () => {
  const [, image = []] = readDockerfile();
  const said = (name: string) => image.filter((instruction) => instruction.name === name).map(({ rest }) => rest);

  it('runs Node directly, which receives signals, as an unprivileged user', () => {
    expect(said('USER')).toEqual(['node']);
    expect(said('CMD').map((command) => JSON.parse(command))).toEqual([
      ['node', ...NODE_ARGUMENTS, 'apps/host/dist/main.js'],
    ]);
    expect(said('RUN')).toEqual(['install -d -o node -g node /data']);
    expect(said('ENV').join()).not.toMatch(/KEY|TOKEN|PASSWORD|URL/);
  });
});
