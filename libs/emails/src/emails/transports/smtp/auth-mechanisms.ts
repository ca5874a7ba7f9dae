/** Credentials of a login: a password, or an OAuth 2.0 access token. */
export type SmtpCredentials =
  | { user: string; pass: string }
  | {
      user: string;
      /** Called before each login, and once more when the server refuses the token (535). */
      accessToken: () => Promise<string>;
    };

/** Authentication mechanisms. */
export type AuthMethod = 'PLAIN' | 'LOGIN' | 'XOAUTH2';

/** The dialogue of a login mechanism (RFC 4954). */
export interface AuthMechanism {
  name: AuthMethod;
  proof: 'pass' | 'accessToken';
  /** The client's responses, in order. */
  responses(user: string, secret: string): readonly string[];
  /** True if the first response may be sent with the command itself. */
  startsAtOnce: boolean;
}

export const AUTH_MECHANISMS: readonly AuthMechanism[] = [
  // RFC 4616.
  { name: 'PLAIN', proof: 'pass', startsAtOnce: true, responses: (user, pass) => [`\0${user}\0${pass}`] },
  // No RFC. Servers ask for the user, then for the password; not all accept the user with the command.
  { name: 'LOGIN', proof: 'pass', startsAtOnce: false, responses: (user, pass) => [user, pass] },
  // Defined by Google and Microsoft. A refused token gets 334 with the reason, and 535 after an empty response.
  {
    name: 'XOAUTH2',
    proof: 'accessToken',
    startsAtOnce: true,
    responses: (user, token) => [`user=${user}\x01auth=Bearer ${token}\x01\x01`],
  },
];
