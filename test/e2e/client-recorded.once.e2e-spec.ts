import type { RunningHost } from '../support/hosts/host.js';
import { shareHost } from '../support/hosts/shared-host.js';
import { parseMime } from '../support/reading/mime.js';
import { Player, type RecordedStep, readRecording } from '../support/requests/recording.js';
import { misfits, type Shape } from '../support/rules/shape.js';
import type { SmtpSink } from '../support/servers/smtp/smtp-sink.js';

type Mail = NonNullable<RecordedStep['mail']>;

/** The official clients of other languages, by what they sent when they were recorded. */
describe('as its official client asks', () => {
  let sink: SmtpSink;
  let host: RunningHost;

  beforeAll(async () => {
    ({ host, sink } = await shareHost());
  });

  describe.each(['python', 'go', 'ruby', 'php'])('in %s,', (language) => {
    const { steps, version, recorded } = readRecording(language);
    let player: Player;

    beforeAll(() => {
      player = new Player(host);
    });

    it('says of which version it is, and whether the client itself was recorded', () => {
      expect(version).toMatch(/^\d/);
      expect(['sdk', 'source']).toContain(recorded.from);
      expect(recorded.how).toMatch(/\.$/);
    });

    it.each(steps)('$name: $call', async (step) => {
      const { status, body, headers } = await player.play(step);
      expect({ status, misfits: misfits(body, player.needs(step)) }).toEqual({
        status: step.answer.status,
        misfits: [],
      });
      expect(headers['content-type']).toContain('application/json');
      if (showsItems(step)) expect(body.data).not.toEqual([]);
      if (step.mail) expect(await arrived(body.id, step.mail)).toEqual(step.mail);
    });
  });

  /**
   * The subject of the message that an email became, and those of its attachments that arrived byte for byte. The parser
   * gives the name of each; of a calendar it would add a line break to the content.
   */
  async function arrived(id: unknown, { attachments }: Mail): Promise<Mail> {
    const { raw } = await sink.waitFor((message) => message.raw.includes(`Message-ID: <${id}@`));
    const parsed = await parseMime(raw);
    const names = parsed.attachments.map(({ filename }) => filename);
    const encoded = raw.toString('latin1').replaceAll('\r\n', '');
    const whole = Object.entries(attachments).filter(
      ([name, content]) => names.includes(name) && encoded.includes(content),
    );
    return { subject: parsed.subject ?? '', attachments: Object.fromEntries(whole) };
  }
});

/** True if the client is promised something in the list that it asks for. */
function showsItems({ answer: { needs } }: RecordedStep): boolean {
  return typeof needs === 'object' && 'data' in needs && Array.isArray(needs.data) && needs.data.length > 0;
}

describe('what does not fit a client', () => {
  it.each([
    [{ id: 'uuid' }, {}, ['the answer has no id']],
    [{ id: 'uuid' }, { id: 'x' }, ['the answer.id is not uuid: "x"']],
    [{ 'text?': 'string?' }, { text: 7 }, ['the answer.text is not string?: 7']],
    [{ data: [{ deleted: true }] }, { data: [{ deleted: true }, {}] }, ['the answer.data[1] has no deleted']],
    [{ '*': { type: '=string' } }, { tier: 'premium' }, ['the answer.tier is no object']],
    [{ message: '~no segments' }, { message: 'Nothing.' }, ['the answer.message is not ~no segments: "Nothing."']],
    [{ 'text?': 'string?', data: [] }, { data: [1], more: 1 }, []],
  ])('%j in %j', (shape, value, expected) => {
    expect(misfits(value, shape as Shape)).toEqual(expected);
  });
});
