import { Controller, HttpCode, Inject, Post } from '@nestjs/common';
import { ApiError } from '../../shared/errors/api-error.js';
import { PathText, RequestContext } from '../../shared/routes/parameters.js';
import { nextTurn } from '../../shared/work/slices.js';
import { HookBodyReader } from './hook-body.reader.js';
import { RELAYS, type Relays } from './relay.js';
import { ReportRecorder } from './report-recorder.js';

/** Reports of relays about emails that they accepted. Each request carries its own proof. */
@Controller('hooks')
export class HooksController {
  private readonly bodies = new HookBodyReader();

  constructor(
    @Inject(RELAYS) private readonly relays: Relays,
    private readonly recorder: ReportRecorder,
  ) {}

  /** Answers 200 after the commit; another answer makes the relay send it again. */
  @Post(':provider')
  @HttpCode(200)
  async receive(@PathText('provider') provider: string, @RequestContext() { request }: RequestContext): Promise<void> {
    const relay = this.relays.get(provider);
    if (!relay) throw ApiError.notFound();
    relay.admit(request);
    const { bytes, memory } = await this.bodies.read(request);
    try {
      // Parsing and verifying many at once would hold up others.
      if (memory) await nextTurn();
      const { reports, recorded } = await relay.read(bytes, request.headers);
      await this.recorder.record(reports);
      await recorded?.();
    } finally {
      memory?.close();
    }
  }
}
