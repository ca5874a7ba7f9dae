import { FOREIGN_HARD_WORDS, FOREIGN_SOFT_WORDS } from './foreign-words.js';
import type { Words } from './words.js';

/** Words that speak of something other than the address. They count for more than any code. The first match counts. */
export const SOFT_WORDS: readonly Words[] = [
  {
    pattern:
      /\bin the queue too long\b|\bqueued? too long\b|\bmessage expired\b|\bconnect to \S+: |\binsufficient system (?:storage|resources)\b|\bloops back\b|\buser (?:not local|has moved)[;,] please try\b|\bhave been failing\b|\bgateway for\b|\bmultiple retries\b|\ballowed queue period\b|\bnot been collected\b|\bhost ?name lookup\b|\bname ?server (?:reply|error|failure|problem|time)|\bresolve route\b|\binterrupted system call\b|\bqueue file\b|\berror: no valid recipients\b(?! for)|\blocked by\b|\bmis-?configured\b|\blost connection\b|\bfor too long\b|\bconnection died\b|\bsoftware error\b|\bsystem (?:is )?full\b|\bmail exchanger\b|\bno mail servers?\b|\bremote domains not supported\b|\bno route\b|\bdid not respond\b|\b(?:host|server|domain|destination)(?: computer)? (?:is |was )?(?:not reachable|unreachable|could not be found)\b|^connection refused|\bto delivery agent\b/i,
    meaning: 'route_failed',
  },
  {
    pattern:
      /\b(?:urls?|links?|uris?)\b[^.;]{0,40}\b(?:listed|black\w*|blocked|blocking|surbl|uribl)\b|\bblocking urls?\b|\blisted url\b|\bHTML tag\b|\bmessage content\b|\bstray CR\b|\b(?:uribl|surbl)\b|\bmass mailer\b|\bNUL char\w*|\bline (?:length|too long)\b|\b8-?bit (?:data|character)|\bcontent filter\w*|\banti-?spam checks\b/i,
    meaning: 'content_rejected',
  },
  { pattern: /\bspam (?:or|and|\/) ?virus\b|\bvirus (?:or|and|\/) ?spam\b/i, meaning: 'content_rejected' },
  {
    // Limits of the sending account, as relays word them.
    pattern:
      /\bthrottling failure\b|\bdaily (?:message|user sending|smtp relay|sending|email) (?:sending )?(?:quota|limit)|\b(?:sending|send|outbound|outgoing|relay|submission) (?:(?:rate|mail|message) )?(?:quota|limit)s? (?:(?:has|have) been |was |is )?(?:exceeded|reached)|\bmaximum (?:sending|credits)\b|\b(?:send|sending) rate exceeded\b|\bSubmissionQuotaExceeded\w*|\b(?:outbound|sending|submission) (?:\w+ ){0,3}(?:disabled|suspended)\b|\brecipients for this sender\b|\b(?:daily|hourly|monthly) (?:\w+ ){0,3}(?:limit|quota)\b|\bmessaging limits\b|\b(?:reached|exceeded) your (?:\w+ ){0,3}limit|\bsent by this account\b|\bper (?:hour|day) (?:limit|quota)\b|\bexceeded (?:your|the|its) (?:\w+ ){0,3}sending (?:quota|limit)|\b(?:exceed(?:ed|ing)?|reached|over) (?:(?:your|the|its) )?(?:sending|submission|relay|outgoing|outbound) (?:rate )?(?:quota|limit)|\bsubmission rate\b[^.;]{0,40}\bexceeded\b|\btenant has exceeded\b|\bmax(?:imum)? (?:defers and failures|emails) per hour\b/i,
    meaning: 'sender_limit',
  },
  {
    // At RCPT these may be limits of the recipient.
    pattern:
      /(?<!\bconnection )\brate limit (?:(?:has been|was|is) )?(?:exceeded|reached)\b|\bmessage count quota\b|\bquota exceeded (?:for (?:the |this )?sender|for your account)\b|\bquota exceeded: outgoing\b|\b(?:sent too many (?:messages|e-?mails|mails)|too many (?:messages|e-?mails|mails|recipients) (?:sent|today|per (?:second|minute|hour|day|month)))\b|\bnumber of (?:messages|e-?mails|mails) (?:(?:that )?you (?:can|may) send|per (?:second|minute|hour|day|month))\b|\b(?:e-?mail|sandbox) limit (?:(?:has been|was|is) )?(?:exceeded|reached)\b/i,
    meaning: 'sender_limit',
    stages: ['mail', 'data', 'dot'],
  },
  {
    pattern: /(?<!\b(?:disk|disc|storage) )\bquota (?:(?:has been|was|is) )?exceeded\b/i,
    meaning: 'sender_limit',
    stages: ['mail'],
  },
  {
    // The sender, its address or its account.
    pattern:
      /\b(?:sender|senders?'s|from:|from (?:domain|address|header)|originator|return[- ]path|envelope[- ]from|mail ?from|helo|ehlo)\b[^.;]{0,60}\b(?:reject\w*|denied|refused|invalid|unvalidated|not (?:found|exist|valid|allowed|accepted|permitted|aligned)|does ?n[o']t (?:exist|resolve)|unresolvable|blocked|blacklisted|block ?list\w*|unknown|verif\w+|fail\w*|unable|mismatch|forged|spoof\w*|restricted)\b|\b(?:helo|ehlo)\b|\bsenders?\b(?!.*\b(?:recipient|user|mailbox)\b[^.;]{0,20}\b(?:unknown|not found|does ?n[o']?t exist))|\b(?:identities failed the check|address is not verified)\b|\b(?:invalid|bad|unknown|blocked|fake|forged|unroutable|denies the|unauthori[sz]ed|rejected) (?:envelope |email )?(?:sender|originator|from|return path)\b|\byour (?:e-?mail )?(?:address|account|domain) (?:\w+ ){0,3}(?:has been |is |was )?(?:blocked|rejected|suspended|blacklisted|disabled|locked|restricted|banned)\b|\bbatv\b|\bback-?scatter\b|\bbogus\b|\bnot owned by\b|\b(?:accept|accepts|accepting) (?:\w+ )?(?:mail|e-?mail|messages) (?:only )?from\b|\baccess to submit\b|\baddress used to send\b|\bfrom: domain\b|\bfrom: address(?:es)?\b[^.;]{0,40}\bnot allowed\b|\bas a from\b/i,
    meaning: 'policy_rejected',
  },
  {
    // Where it comes from, and how it is authenticated.
    pattern:
      /\b(?:spf|dkim|dmarc|arc|senderid|rdns|ptr|rbls?|dnsbl|dnswl|surbl|spamhaus|spamcop|barracudacentral|senderscore|sorbs|cloudmark)\b|\breverse[- ]?dns\b|\bdns check\b|\b(?:dns|mx|a|aaaa|a\/aaaa) (?:resource )?records?\b(?! (?:for|of) (?:the )?(?:destination|recipient))|\binvalid dns\b|\breverse (?:lookup|mapping|entr)\w*|\bblack ?-?list\w*|\bblock ?-?list\w*|\bblock list\b|\bblacklist|\bblack ip\b|\breputation\b|\bgr[ae]y-?\s?list\w*|\b(?:client |source |sending |your )(?:host|ip|server|mail server|hostname)\b|\bip (?:address|is|not|has|range|source)\b|\bauthenticat\w*|\bauth(?:entication)? required\b|\bunauthori[sz]ed\b|\bTLS\b(?! connect\w* failed)|\bencryption\b|\bcannot find your\b|\bopen relay\b|\bfrom this (?:ip|host|server|client)\b|\bdynamic (?:ip|address|host)/i,
    meaning: 'policy_rejected',
  },
  {
    pattern:
      /\brelay(?:ing)? (?:access |mail |traffic )?(?:is |was |not )?(?:denied|den[iy]\w*|prohibited|disallowed|not (?:allowed|permitted|permited)|restricted|rejected|forbidden)|\b(?:unable|not (?:permitted|allowed|authori[sz]ed|willing)|refuse\w*|cannot|can't|won't|don't|do not|denies|deny) (?:to )?relay\w*|\bas a relay\b|\brelay(?:ing)?\b[^.;]{0,40}\bdenied\b|\bunauthori[sz]ed relay\b|\brcpthosts\b|\bnot (?:in my list of|one of my) allowed\b|\bnot a gateway\b|\bno relay\w*|\b(?:mail relay|relaying mail|to relay (?:mail|messages)|relay for)\b|\bhandle mail for\b(?! that user)|\brelay (?:not permitted|operation rejected)\b/i,
    meaning: 'policy_rejected',
  },
  {
    pattern:
      /\bover (?:the )?(?:disk |allowed |storage |mail |mailbox |maximum |allocated )*quota\b|\bover-?quota\b|\b(?:mail|disk|disc|user|storage|mailbox|account|recipient|message|inbox)(?:'s)? quota\b|\bquota (?:is |has been |was |for (?:the |this )?\w+ (?:is )?)?(?:full|exceed\w*|violation|limit)|\b(?:exceed\w*|exhaust\w*|reached|above|beyond|out of|insufficient|not enough|no)\b[^.;]{0,30}\b(?:quota|storage(?: space| allocation| limit)?|disk space|mailbox (?:size|space|capacity|limit)|mail ?box limit)\b|\b(?:mail ?box(?:es)?|mail ?folder|mail ?file|inbox|maildir|mail ?drop|account|folder|storage|mail ?spool|user|boite)\b[^.;]{0,40}\b(?:is |are |appears to be |was |currently )?(?:(?:too |over)?full|overflow\w*|exceeded|over (?:limit|size|the limit))\b|\b(?:mail ?box|inbox|storage)\b[^.;]{0,30}\b(?:size|space) (?:is |has )?(?:limit|exceeded|full)|\bfull mailbox\b|\btoo many (?:mails|messages) (?:on|in) (?:the )?(?:server|mailbox|folder)|\btrouble in home directory\b|\bSpeicher\w+|\bbo[iî]te (?:\w+ ){0,3}pleine\b|\binsufficient (?:disk|storage|mailbox|quota)|\bno (?:room|space left)\b|\b(?:容量|空间)(?:满|不足)|\bover the maximum\b[^.;]{0,30}\bmailbox\b|\benough space\b|\bspace (?:is )?not enough\b|\bspace (?:has been|is) used up\b|\btoo much mail\b|\bmail ?(?:file|box) (?:size )?exceeds\b|\breceiving limits\b|\bmaildir delivery failed: \w+ quota|\bextended quota\b|\bMailbox is full\b|\brecipient storage full\b/i,
    meaning: 'mailbox_full',
  },
  {
    pattern:
      /\bvirus(?:es)?\b|\bmalware\b|\binfected\b|\btrojan\b|\bworm\b|\bexecutables?\b|\b(?:banned|illegal|forbidden|prohibited|blocked|restricted|dangerous|disallowed|unacceptable|not allow\w*|reject\w*|type)\b[^.;]{0,40}\b(?:attachments?|file ?(?:name|type|extension)s?)\b|\battachments?\b[^.;]{0,60}\b(?:not (?:allowed|accepted|permitted)|reject\w*|block\w*|prohibited|banned|forbidden|filtered|type|violat\w*)\b|\baccept(?:ing)? \w+ (?:containing|with)\b[^.;]{0,40}\battachments?\b|\bfile extension\b|\bfile type\b|\bcontains? an? (?:\w+ )?attachment\b|\battachment (?:filter|count)\b/i,
    meaning: 'attachment_rejected',
  },
  {
    pattern:
      /\b(?:message|mail|e-?mail|body|data|content|attachment|letter|header)s?\b[^.;]{0,40}\b(?:size|too (?:large|big|long)|larger than|length)\b|\b(?:size|length)\b[^.;]{0,20}\b(?:exceed\w*|limit|too|violation|maximum)|\bexceed\w*\b[^.;]{0,40}\b(?:size|bytes|length)\b|\btoo (?:large|big|long)\b|\bmail ?size limit\b|\bmaximum (?:email |message )?size\b|\bmessage exceeds\b|\bmaxsize\b/i,
    meaning: 'message_too_large',
  },
  {
    pattern:
      /\b(?:spam\w*|anti-?spam|ube|uce|junk|unsolicited|phish\w*|scam|bulk)\b|\bsuspicious\b|\bcontent\b[^.;]{0,40}\b(?:reject\w*|denied|filter\w*|block\w*|not (?:allowed|accepted)|restrict\w*|violat\w*|banned|refused)\b|\b(?:reject\w*|banned|blocked|filtered|objectionable|prohibited|denied)\b[^.;]{0,40}\bcontents?\b|\b(?:message|mail|e-?mail)\b[^.;]{0,30}\b(?:was |is |has been )?(?:filtered|quarantined)\b|\bmalformed\b(?! (?:\w+ )?(?:address|recipient))|\bRFC ?\d{3,4} compliant\b|\b(?:missing|duplicate|invalid|improper|bad) (?:\w+[- ]){0,3}headers?\b|\bstray (?:newline|linefeed)s?\b|\bbare (?:lf|cr|linefeed|newline)s?\b|\bprofanity\b|\bheader error\b|\bheaders? (?:is|are) not accepted\b|\bbase64 encoding\b|\bbinary content\b|\brequired standards\b|\bmessage filter\w*|\breply-?to\b|\bfilter(?:ed|ing)? (?:by|rule|processing|rejection)/i,
    meaning: 'content_rejected',
  },
  {
    // A rate, a time, a rule. The recipient's own rate too: it is no property of the address.
    pattern:
      /\btoo (?:quickly|fast|frequent\w*|much fail\w*)\b|\b(?:at a|message|sending|submission|unusual|connection|delivery) rate\b|\brate[- ]?limit\w*|\brate (?:limit|exceeded)|\bthrottl\w+|\b(?:connection|session) limit\b|\btoo many (?:connections|sessions|smtp sessions|messages|recipients|concurrent|simultaneous|errors|commands|bad|invalid|unknown|emails|mails|failed|requests|attempts|rcpt|transactions|hits|defer)|\btoo many different\b|\bexcessive (?:volume|unknown|number|rate|connections|bounces)|\bmessages they can receive\b|\bexceeded (?:permitted|their|the (?:maximum )?(?:number|limit)) |\bfrequency limited\b|\bmax (?:message|connection|rcpt)\w*|\bslow(?:ing)? down\b|\bconcurren\w+|\bunexpected volume\b|\bcomplaints?\b/i,
    meaning: 'policy_rejected',
  },
  {
    pattern:
      /\bpolic(?:y|ies)\b|\bprohibit\w*|\badministrative(?:ly)?\b(?! disabled)|\bnot (?:authori[sz]ed|permitted)\b|\bRST\.\w*Restricted|\brestrict(?:ed|ion)\b|\bsecurity\b|(?<!\b(?:account|mailbox|user|recipient|destinataire)\b[^.;]{0,20}\b(?:is|was|est|has been) (?:currently )?)\bblocked\b|\bservice refused\b|\b(?:message|mail|email) (?:was |has been |is )?(?:refused|not accepted)\b(?!.*\b(?:mailbox|user|recipient)\b)|\bchallenge\b|\bconfirm(?:ation)? (?:your|required)|\bwhite-?list\w*|\bmembers?[- ]only\b|\bclosed (?:mailing )?list\b|\bnot subscribed\b|\bnon-?member\b|\bprison\b|\bpreferences\b|\b(?:privacy|organi[sz]ational) settings\b|\bcaptcha\b|\bhuman verification\b|\bheld (?:for|before)\b|\b(?:third-party|unsigned) DSNs?\b|\bRFC ?1035\b|\brefuses? to receive\b|\breject(?:s|ed)? the mail\b|(?<!not )\blisted (?:at|in|on|by)\b(?! (?:the )?(?:\w+ )?(?:directory|domino|address book))|\bcall-?out\b|\bnot hosted (?:here|on|by)\b|\bIP[=:]\d|\bquarantined?\b|\b(?:e-?mail|message) has been (?:automatically )?rejected\b|\bbanned\b|\baccepts? messages with\b|\bno access for\b|\bdoes not want your mail\b|\baddress is on \w*filter\w*|\bnot (?:allowed|permitted) to (?:send|post|connect|use)|\bIP is rejected\b|\binvalid IP\b|\blocal user only\b|\bconnections? not accepted\b|\bnot accepting connections\b|\brefuse[ds] to (?:talk|accept)|\breject due to\b|\bhang ?up\b|(?<!rejected: )\baccess denied\b|(?<!\b(?:deactivated|disabled|suspended|closed) (?:due to|for) )\babuse\b|\bno SMTP service\b|\bspammers?\b|\bforged\b|\bclient (?:was |is )?rejected\b|\brejected client\b|\bspoof\w*|\bcredentials\b|\bpasswords?\b|\blog-?in\b|\b(?:recipient|destination) domain\b[^.;]{0,30}\b(?:not (?:local|allowed|accepted|hosted)|rejected)\b|\bunresolvable\b|\bunknown host \[?\d+\.|\bnetwork not allowed\b|\bconfigured to reject\b|\bsuspected\b|\bmailserver is rejected\b|\b(?:will not|won't|does not|cannot|can not) accept (?:delivery of )?(?:this|your|the|any) (?:message|mail|e-?mail)\b|\b(?:message|mail|e-?mail) (?:was |is |has been )?(?:permanently )?(?:reject\w*|refused|denied|blocked|not accepted)\b(?!.*\b(?:unknown|no such|does ?n[o']?t exist|not found|invalid (?:recipient|mailbox|user)))|\bblocked by (?:the )?recipient\b/i,
    meaning: 'policy_rejected',
  },
  {
    pattern:
      /\btime(?:d)?[- ]?out\b|\btimeout\b|\btemporar(?:y|ily)\b|\btry(?:ing)? (?:again )?later\b|(?<!\b(?:check|verify|correct|resend)\b[^.;]{0,80})\btry again\b|\b(?:retry|delivery|message|queue)\b[^.;]{0,20}\b(?:expired|time|timeout|exceeded)\b|\btoo many (?:hops|received|\w+ hops)\b|\bhop count\b|\bexceeded \d+ hops\b|\b(?:mail|message|routing|forwarding)? ?(?:is )?loop(?:s|ing|ed)?\b|\bloops back\b|\bconnection (?:refused|reset|timed|closed|lost|dropped|failed)|\bnetwork (?:is )?unreachable\b|\bno route to host\b|\b(?:could not|couldn't|cannot|can't|unable to|wasn't able to|not able to|failed to) (?:connect|be contacted|establish|contact|reach|deliver it|open)|\bin the queue too long\b|\b(?:server|system|service|resources?|host|agent|queue)\b[^.;]{0,30}\b(?:busy|unavailable|not available|down|overload\w*|not responding|insufficient)\b|\binsufficient (?:system )?resources?\b|\bout of memory\b|\bsystem (?:error|failure|problem|config\w*)|\binternal (?:server )?(?:error|resource)|\b(?:local|configuration|database|processing|i\/o|input\/output) (?:error|problem|failure)|\bdeferred\b|\bdelayed\b|\bdot-?lock\b|\bcommand died\b|\boutput file\b|\berror on maildir\b|\bcannot store\b|\bnumerous attempts\b|\bnot yet\b|\bclosing (?:transmission|connection)|\bverification in progress\b|\bname service error\b(?!.*\bnot found\b)|\b(?:command|data) output:|\bserver (?:not )?(?:respon\w+)|\blimit exceeded\b|\bdns (?:records?|lookup|query|server|error|failure)\b(?!.*\bnot exist)|(?<!\bno further )\bdelivery attempts\b(?! ?: ?0)/i,
    meaning: 'route_failed',
  },
  ...FOREIGN_SOFT_WORDS,
];

/** Words that say that the address is written wrongly. */
const WRITTEN_WRONGLY =
  /\bnot a valid RFC[- ]?\d+ address\b|\b(?:bad|invalid|illegal|malformed|wrong|incorrect) (?:\w+ )?(?:address|recipient|mailbox|addr)(?:\w+)? (?:syntax|format|name)\b|\b(?:syntax|format) error in (?:\w+ )?(?:address|mailbox|recipient)|\bbad address syntax\b|\binvalid (?:character|address format)|\bmalformed (?:address|recipient)\b/i;

/** Words for the person or the place that an address names. */
const WHO =
  '(?:users?(?:name| ?id)?|recipients?|mail ?box(?:es)?|accounts?|address(?:ee)?(?:es)?|e-?mail (?:address|account)|alias|local[- ]?part|receivers?|customers?|mail ?drop|person|subscriber|mail ?address|mailbox name|account name)';
const GONE =
  '(?:disabled|inactive|in-?activ\\w*|suspended|de-?activat\\w*|closed|expired|locked|terminated|discontinued|archived|frozen|cancell?ed|deleted|removed|retired|abandoned|dormant|unsubscribed|moved|no longer \\w+|(?:is|are|was|est|has been) (?:currently )?blocked|never logged|not active|not enabled|not activated|receiving disabled)';
const UNKNOWN =
  "(?:unknown|(?:could ?n[o']t|cannot|can't|could not) be found|not (?:be )?(?:found|known|exist|present|listed|valid|recogni[sz]ed|here|local|registered|available|defined|located|our|in (?:the |our )?(?:directory|recipient|database|table|ldap|system)|a (?:valid|known|local))|does ?n[o']?t exist|do ?n[o']?t exist|doesn't have|no exists?|non-?existent|invalid|unavailable|unallocated|un-?routeable|undeliverable)";

/** Words after which a person or a place is not the one that is unknown or invalid, as in `bad reply from user`. */
const ELSE =
  '(?:for|from|of|by|in|on|at|with|error|command|response|reply|replies|sender|header|headers|parameter|argument|ip|server|client|host|password|login|credentials|characters?|data|body|content)';

/** Words that speak of the address. They count where no enhanced code says more. The first match counts. */
export const HARD_WORDS: readonly Words[] = [
  { pattern: WRITTEN_WRONGLY, meaning: 'address_invalid' },
  { pattern: new RegExp(`\\b${WHO}\\b[^.;]{0,40}\\b${GONE}\\b`, 'i'), meaning: 'address_disabled' },
  {
    pattern:
      /\b(?:disabled|inactive|suspended|deactivated|closed|expired|locked|terminated) (?:user|account|mail ?box|recipient)\b|\b(?:disabled|closed|suspended) due to inactivity\b|\b(?:extended )?inactivity\b[^.;]{0,60}\bnot\b|\binactive on this\b|\bhas ?n[o']t (?:entered|logged)\b|\bnot an active (?:address|user|account|mailbox)\b|\breceiving disabled\b|\bdeactivated due\b|\barchived recipient\b/i,
    meaning: 'address_disabled',
  },
  { pattern: new RegExp(`\\b${WHO}\\b[^.;]{0,60}\\b${UNKNOWN}`, 'i'), meaning: 'address_unknown' },
  {
    pattern: new RegExp(
      `\\b(?:(?:unknown|no such|invalid|unrecogni[sz]ed|non-?existent|nonexist\\w*|bad|illegal|undeliverable|un-?routeable|unallocated|wrong|incorrect|unavailable|can(?:'|no)t find|couldn't find|unable to find|cannot locate) (?:(?!${ELSE}\\b)[\\w'-]+ ){0,3}|no (?:(?:valid|matching|active|known|local|existing|available|mail|virtual|e-?mail) ){0,2})${WHO}\\b`,
      'i',
    ),
    meaning: 'address_unknown',
  },
  {
    pattern:
      /\bun-?routeable (?:mail |e-?mail )?(?:address|domain)\b|\bnot our customer\b|\bno mail ?box here\b|\bno (?:one|body) (?:at|by|with)\b|\bby that name\b|\bnot listed in (?:the )?(?:\w+ )?(?:directory|domino)|\bno such (?:person|name|address|user|mailbox)\b|\bunknown (?:or illegal )?alias\b|\bno longer (?:on server|valid|accept|here|employed|works|with|in use|exists)|\bunknown (?:user|recipient)|\buser not (?:known|found)|\bRCPT\b[^;]{0,60}\bnot found\b|\bnot known (?:at|here)|\bnot (?:a )?local (?:user|mailbox)\b|\bdo(?:es)? ?n[o']?t exists?\b|\bnot user of\b|\bdoes not have an account\b|\b(?:taken: mailbox name|recipient mailbox is) not allowed\b|\bis not an? (?:\w+ ){0,3}(?:user|recipient|mailbox|address|account)\b|\brecipients? (?:was |were |is )?rejected\b|\brejected (?:the )?recipients?\b|\bno matches to nameserver\b|\bhas been replaced by\b|\bvalidate recipient\b|\bmail for that user\b|\b(?:not|n't) accept user\b|\bnot a valid (?:user|recipient)\b|\bnot a local address\b|\bRecipientNotFound\b|\bADR\.\w*NotFound\b|\baddress(?:es)? (?:is |was )?(?:not valid|rejected)\b|\bdelivery (?:to|for) .{0,40}not (?:possible|allowed)\b/i,
    meaning: 'address_unknown',
  },
  ...FOREIGN_HARD_WORDS,
];

/** A name server itself said that the domain of the address does not exist or accepts no mail (RFC 7505). */
export const DNS_WORDS =
  /\bnull ?MX\b|\bNXDOMAIN\b|\bNon-?Existent-?Domain\b|\bDomainNonexistent\b|\b(?:host|domain)(?: name)?(?: or domain name)? (?:is )?(?:not found|unknown)\b|\bunknown (?:host|domain)\b|\bcouldn't find any host\b|\b(?:domain|host)(?: name)? (?:\S+ ){0,2}(?:does ?n[o']?t exist|not exist|non-?existent|could not be found|was not found)|\bfind the recipient domain\b|\bdomain mentioned\b[^.;]{0,40}\bunknown\b|\bno such (?:host|domain)\b|\b(?:domain|host) \S{0,80} ?does ?n[o']t accept (?:any )?mail\b(?! from)|\ball relevant MX records point to non-existent hosts\b|\bun-?routeable (?:mail |e-?mail )domain\b|\bbad destination host\b|\bname or service not known\b/i;

/** Words that say of an address that nobody has it, and leave no other reading. */
export const NOBODY =
  /\bno such (?:user|mail ?box|recipient|person|account)\b|\b(?:user|recipient|mail ?box|account) (?:is )?unknown\b|\bunknown (?:user|recipient|mailbox)\b|\b(?:user|recipient|mail-?box|account)\b[^.;:]{0,40}\b(?:does ?n[o']?t exist|not found)\b|\bno mail ?box (?:found|here)\b/i;
