import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, Module, UnauthorizedException } from '@nestjs/common';
import { type AccountResolver, EmailsFeatureModule } from 'nestjs-emails';
import { audience } from 'nestjs-emails/audience';
import { EmailsDashboardModule } from 'nestjs-emails-dashboard';
import { databaseModule, MAIL } from './infrastructure.js';

/** Like the user name from a proxy in front of this backend. */
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
    EmailsFeatureModule.forRoot({ features: [audience()], dataSource: MAIL, guards: [UserGuard], accountResolver }),
    // The page needs no sign-in: the guard identifies the user.
    EmailsDashboardModule.forRoot({ path: '/people/page', guards: [UserGuard], accountResolver }),
  ],
})
export class ContactsOnlyModule {}
