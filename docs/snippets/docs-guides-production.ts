import type { CanActivate } from '@nestjs/common';
import type { AccountResolver } from 'nestjs-emails';

declare const accountResolver: AccountResolver;
declare class YourGuard implements CanActivate {
  canActivate(): boolean;
}
declare class AppModule {}
