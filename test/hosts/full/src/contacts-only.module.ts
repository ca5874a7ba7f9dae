import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, Module, UnauthorizedException } from '@nestjs/common';
import type { AccountResolver } from 'nestjs-emails';
import { AudienceModule } from 'nestjs-emails/audience';
import { EmailsDashboardModule } from 'nestjs-emails-dashboard';
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

const accountResolver: AccountResolver = {
  resolve: (request) => ({ accountId: userOf(request) ?? '', permission: 'full_access' }),
};

@Module({
  imports: [
    databaseModule,
    AudienceModule.forRoot({ dataSource: MAIL, guards: [UserGuard], accountResolver }),
    // Nobody signs in at the page: the guard knows who it is.
    EmailsDashboardModule.forRoot({ path: '/people/page', guards: [UserGuard], accountResolver }),
  ],
})
export class ContactsOnlyModule {}
