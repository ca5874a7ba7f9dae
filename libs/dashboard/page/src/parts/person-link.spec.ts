import { addressInPath, personLink } from './person-link';

describe('the link of a person', () => {
  it.each(['jane@example.com', 'jane+a/b?#%40@example.com', '"a b"@example.com', 'jürgen@exämple.com', '../x@y.test'])(
    'leads to %s',
    (address) => {
      expect(addressInPath(`/dashboard${personLink(address)}`)).toBe(address);
    },
  );

  it('may be written by hand', () => {
    expect(addressInPath('/dashboard/people/jane@example.com')).toBe('jane@example.com');
    expect(addressInPath('/dashboard/people/50%off@example.com')).toBe('50%off@example.com');
  });
});
