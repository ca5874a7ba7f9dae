import type { Words } from './words.js';

/*
 * Words of other languages, for the same meanings as the English ones. `\b` knows no letters beyond ASCII: it stands
 * only where an ASCII letter does. A few letters lie between two words of a phrase, so that each search stays short.
 */

/** Words about something other than the address: the sender, a limit, spam, a full mailbox. The first match counts. */
export const FOREIGN_SOFT_WORDS: readonly Words[] = [
  {
    pattern:
      /\babsender|\b(?:exp[eé]diteur|[eé]metteur)|\bremitente|\bremetente|\bmittente|отправител|发件人|寄件人|差出人|送信元/i,
    meaning: 'policy_rejected',
  },
  {
    pattern:
      /\bpostfach\b[^.;]{0,40}\b(?:voll|überf)|\bmailbox (?:ist )?voll\b|\bspeicher(?:platz|volumen)|\bbo[iî]te\b[^.;]{0,40}\bpleine|\bbuz[oó]n\b[^.;]{0,30}\bllen|\bcasilla\b[^.;]{0,30}\bllen|\bcuota\b[^.;]{0,30}\b(?:exced|superad)|\bcaixa\b[^.;]{0,30}\bcheia|\bcota\b[^.;]{0,30}\bexced|\bcasella\b[^.;]{0,30}\bpiena|\bskrzynk\w+\b[^.;]{0,20}\bpełna|переполнен|квот[аы]|(?:邮箱|信箱|空间|容量)[^。]{0,12}(?:满|滿|不足|超)|メールボックス[^。]{0,12}(?:いっぱい|一杯|満杯)|容量(?:超過|オーバー)/i,
    meaning: 'mailbox_full',
  },
  { pattern: /\btaille (?:limite|maximale)|超过大小|サイズ(?:超過|制限)/i, meaning: 'message_too_large' },
  { pattern: /垃圾邮件|反垃圾|スパム|迷惑メール|спам/i, meaning: 'content_rejected' },
  {
    pattern:
      /\btrop de connexions|\bservice refus[eé]|\bont [eé]t[eé] bloqu|\bbloqu[eé]e?s? p(?:ar|our)\b|受信拒否|拒收|\brechazad\w+ por pol[ií]tica/i,
    meaning: 'policy_rejected',
  },
  {
    pattern:
      /\bplus tard\b|\bm[aá]s tarde\b|\bmais tarde\b|\bspäter (?:erneut|noch)|\bpiù tardi\b|позже|稍后|しばらく/i,
    meaning: 'route_failed',
  },
];

/** Words about the address. The first match counts. */
export const FOREIGN_HARD_WORDS: readonly Words[] = [
  {
    pattern:
      /\b(?:konto|benutzer|postfach)\b[^.;]{0,30}\b(?:gesperrt|deaktiviert|gel.scht|geschlossen)|\b(?:compte|adresse|bo[iî]te)\b[^.;]{0,30}\b(?:d[eé]sactiv|supprim|ferm[eé]|suspendu|inactive|archiv)|\b(?:cuenta|conta|usuario|usu[aá]rio|buz[oó]n)\b[^.;]{0,30}\b(?:deshabilitad|desactivad|desativad|suspendid|suspens|bloquead|inactiv|inativ|cancelad)|(?:ящик|пользовател|аккаунт|запись)[^.;]{0,30}(?:заблокирован|отключ|удал[её]н)|(?:用户|用戶|帐号|账号|邮箱)[^。]{0,8}(?:锁定|禁用|停用|冻结|注销|过期)/i,
    meaning: 'address_disabled',
  },
  {
    pattern:
      /\b(?:benutzer|empf.nger\w*|adresse|postfach)\b[^.;]{0,40}\b(?:unbekannt|nicht (?:gefunden|bekannt|vorhanden)|existiert nicht|ung.ltig)|\bempfängeradresse\b[^.;]{0,30}\bexistiert nicht|\b(?:adresse|utilisateur|destinataire|compte|bo[iî]te)\b[^.;]{0,60}(?:\binconnu|n'existe pas|\binexistant|\binvalide|\bintrouvable)|\b(?:usuario|cuenta|buz[oó]n|destinatario|direcci[oó]n|casilla)\b[^.;]{0,40}\b(?:no existe|inexistente|desconocid|no (?:fue )?encontrad|inv[aá]lid)|\bno se (?:pudo|ha podido|puede) encontrar la direcci|\bno existe (?:dicha|dicho|ese|esa|el|la)\b|\b(?:usu[aá]rio|conta|caixa postal|destinat[aá]rio|endere[cç]o)\b[^.;]{0,40}\b(?:n[aã]o existe|inexistente|desconhecid|inv[aá]lid|n[aã]o encontrad)|\b(?:utente|casella|destinatario|indirizzo)\b[^.;]{0,40}\b(?:sconosciut|inesistente|non esiste|non trovat)|\bnessun utente\b|\b(?:gebruiker|ontvanger|adres)\b[^.;]{0,30}\b(?:onbekend|bestaat niet)|\bnie ma takiego u|\bnieznany (?:u|adres)|\bkonto nie istnieje|\b(?:kullanıcı|alıcı)[^.;]{0,30}\b(?:bulunamad|yok)/i,
    meaning: 'address_unknown',
  },
  {
    pattern:
      /(?:пользовател|адрес|ящик|получател)[^.;]{0,40}(?:не (?:найден|существует|зарегистрирован)|неизвест|отсутству)|такого (?:пользователя|адреса|ящика) нет|нет такого|该用户|(?:收件人|用户|用戶|邮箱|信箱|地址|帐号|账号)[^。]{0,12}(?:不存在|未找到|无效|不正确|未开通)|宛先不明|(?:アドレス|宛先|ユーザ|受信者)[^。]{0,15}(?:存在しません|見つかりません|不明|登録されていません|ありません)/i,
    meaning: 'address_unknown',
  },
];
