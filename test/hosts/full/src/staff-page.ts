import type { IncomingMessage } from 'node:http';
import { type CanActivate, type ExecutionContext, Injectable, UnauthorizedException } from '@nestjs/common';
import { EmailsDashboardModule } from 'nestjs-emails-dashboard';

/** The account that a member of the staff views, named by a proxy in front of this backend. */
const accountOf = ({ headers }: IncomingMessage) => headers['x-staff-account']?.toString();

@Injectable()
class StaffGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    if (!accountOf(context.switchToHttp().getRequest())) throw new UnauthorizedException();
    return true;
  }
}

/** At `/staff/emails`, for staff without an API key, although the routes of the API require keys. */
export const staffPage = EmailsDashboardModule.forRoot({
  path: '/staff/emails',
  guards: [StaffGuard],
  accountResolver: {
    resolve: (request) => ({ accountId: accountOf(request) ?? '', permission: 'full_access' }),
  },
});
