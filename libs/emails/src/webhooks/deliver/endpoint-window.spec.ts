import { EndpointWindow, EndpointWindows } from './endpoint-window.js';

const QUICK = { duration: 20, succeeded: true };
const FAILED = { duration: 20, succeeded: false };
const LATE = { duration: 5_000, succeeded: true };

describe('EndpointWindow', () => {
  let now = 0;
  const made = () => new EndpointWindow('https://hooks.test/', () => now);
  const after = (...ends: (typeof QUICK)[]) => {
    const window = made();
    for (const end of ends) window.begin()(end);
    return window;
  };

  beforeEach(() => {
    now = 0;
  });

  it('starts with two, and grows by one for each quick success, up to ten', () => {
    expect(made().room).toBe(2);
    expect(after(QUICK).room).toBe(3);
    expect(after(...Array.from({ length: 100 }, () => QUICK)).room).toBe(10);
  });

  it('is halved by a failure, and is one after any late answer', () => {
    const grown = Array.from({ length: 100 }, () => QUICK);
    expect(after(...grown, FAILED).room).toBe(5);
    expect(after(...grown, ...Array.from({ length: 100 }, () => FAILED)).room).toBe(1);
    expect(after(...grown, LATE).room).toBe(1);
    expect(after(...grown, { ...LATE, succeeded: false }).room).toBe(1);
    expect(after(...grown, LATE, QUICK, QUICK).room).toBe(3);
  });

  it('counts requests in progress, and forgets those that were not sent', () => {
    const window = made();
    const first = window.begin();
    const second = window.begin();
    expect(window.room).toBe(0);
    first();
    expect(window.room).toBe(1);
    second(LATE);
    expect(window.room).toBe(1);
  });

  it('counts as responsive after any answer in time, and not after a late one', () => {
    expect(made().responsiveness).toBe('unknown');
    expect(after(QUICK).responsiveness).toBe('responsive');
    expect(after(FAILED).responsiveness).toBe('responsive');
    expect(after(QUICK, LATE).responsiveness).toBe('doubtful');
    expect(after(LATE, QUICK).responsiveness).toBe('responsive');
  });

  it('no longer counts as responsive after five seconds without an answer', () => {
    const window = after(QUICK);
    const stuck = window.begin();
    const quick = window.begin();
    now = 4_000;
    quick(QUICK);
    now = 8_999;
    expect(window.responsiveness).toBe('responsive');
    now = 9_000;
    expect(window.responsiveness).toBe('doubtful');
    stuck();
    expect(window.responsiveness).toBe('responsive');
  });

  it('becomes doubtful after five seconds without a first answer', () => {
    const window = made();
    now = 60_000;
    window.begin();
    now = 64_999;
    expect(window.responsiveness).toBe('unknown');
    now = 65_000;
    expect(window.responsiveness).toBe('doubtful');
  });
});

describe('EndpointWindows', () => {
  it('remembers each webhook until its endpoint changes', () => {
    const windows = new EndpointWindows();
    windows.of('one', 'https://hooks.test/').begin()(QUICK);
    expect([windows.responsiveness('one'), windows.responsiveness('two')]).toEqual(['responsive', 'unknown']);
    expect(windows.of('one', 'https://hooks.test/').room).toBe(3);
    expect(windows.of('one', 'https://other.test/').room).toBe(2);
    expect(windows.responsiveness('one')).toBe('unknown');
  });

  it('evicts the least recently used webhook above the limit', () => {
    const windows = new EndpointWindows();
    for (const id of ['one', 'two']) windows.of(id, id).begin()(QUICK);
    windows.of('one', 'one');
    for (let n = 0; n < 9_999; n++) windows.of(String(n), '');
    expect([windows.responsiveness('one'), windows.responsiveness('two')]).toEqual(['responsive', 'unknown']);
  });
});
