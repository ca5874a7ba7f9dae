import { APPLE } from './apple.js';
import { BARRACUDA } from './barracuda.js';
import { COMCAST } from './comcast.js';
import { EXCHANGE } from './exchange.js';
import { EXIM } from './exim.js';
import { GMAIL } from './gmail.js';
import { GMX_WEBDE } from './gmx-webde.js';
import { MAILRU } from './mailru.js';
import { MICROSOFT } from './microsoft.js';
import { MIMECAST } from './mimecast.js';
import type { Operator } from './operator.js';
import { ORANGE } from './orange.js';
import { POSTFIX } from './postfix.js';
import { PROOFPOINT } from './proofpoint.js';
import { QMAIL } from './qmail.js';
import { QQ_NETEASE } from './qq-netease.js';
import { YAHOO } from './yahoo.js';
import { ZOHO } from './zoho.js';

/** Every operator whose words are known. Server software comes last, since operators use it too. */
export const OPERATORS: readonly Operator[] = [
  GMAIL,
  MICROSOFT,
  YAHOO,
  APPLE,
  GMX_WEBDE,
  COMCAST,
  ORANGE,
  QQ_NETEASE,
  MAILRU,
  ZOHO,
  PROOFPOINT,
  MIMECAST,
  BARRACUDA,
  EXCHANGE,
  EXIM,
  POSTFIX,
  QMAIL,
];
