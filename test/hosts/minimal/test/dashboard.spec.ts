import { Test } from '@nestjs/testing';
import { EmailsDashboardModule } from 'nestjs-emails-dashboard';

it('a host that is tested by jest has the page', async () => {
  const keys = { identifyKey: () => Promise.reject(new Error('No key.')), callerOfKey: async () => undefined };
  const page = EmailsDashboardModule.forRoot({ keys });
  const app = (await Test.createTestingModule({ imports: [page] }).compile()).createNestApplication();
  await app.listen(0, '127.0.0.1');
  try {
    const answer = await fetch(`${await app.getUrl()}/dashboard/`);
    expect(await answer.text()).toContain('<base href="/dashboard/"');
  } finally {
    await app.close();
  }
});
