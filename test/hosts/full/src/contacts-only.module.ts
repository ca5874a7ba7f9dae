import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, Module, UnauthorizedException } from '@nestjs/common';
import { AudienceModule } from 'nestjs-emails/audience';
import { databaseModule, MAIL } from './infrastructure.js';

/** As a proxy before this backend would tell who somebody is. */
const userOf = ({ headers }: IncomingMessage) => headers['x-user']?.toString();

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!userOf(context.switchToHttp().getRequest())) throw new UnauthorizedException();
    return true;
  }
}

@Module({
  imports: [
    databaseModule,
    AudienceModule.forRoot({
      dataSource: MAIL,
      guards: [UserGuard],
      accountResolver: {
        resolve: (request) => ({ accountId: userOf(request) ?? '', permission: 'full_access' }),
      },
    }),
  ],
})
export class ContactsOnlyModule {}
