/** A program that verifies the signature of a request, without any library (contract, section 8.1). */
export interface VerifySnippet {
  name: 'node' | 'python' | 'go' | 'ruby';
  title: string;
  text: string;
}

const NODE = `import { createHmac, timingSafeEqual } from 'node:crypto';

/** body: the raw request body, before a JSON parser. Returns the event, or throws. */
export function verify(secret, headers, body) {
  const { 'svix-id': id, 'svix-timestamp': sent, 'svix-signature': signatures = '' } = headers;
  if (!(Math.abs(Date.now() / 1000 - Number(sent)) < 300)) throw new Error('The timestamp is too old.');
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64');
  const expected = createHmac('sha256', key).update(\`\${id}.\${sent}.\${body}\`).digest();
  const isSigned = signatures.split(' ').some((signature) => {
    const given = Buffer.from(signature.replace('v1,', ''), 'base64');
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
  if (!isSigned) throw new Error('The signature is wrong.');
  return JSON.parse(body);
}`;

const PYTHON = `import base64, hashlib, hmac, json, time

def verify(secret, headers, body):
    """body: the raw bytes of the request. Returns the event, or raises ValueError."""
    message_id, sent = headers["svix-id"], headers["svix-timestamp"]
    if abs(time.time() - int(sent)) > 300:
        raise ValueError("The timestamp is too old.")
    key = base64.b64decode(secret.removeprefix("whsec_"))
    signed = f"{message_id}.{sent}.".encode() + body
    expected = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest())
    signatures = headers["svix-signature"].encode().split(b" ")
    if not any(hmac.compare_digest(one.removeprefix(b"v1,"), expected) for one in signatures):
        raise ValueError("The signature is wrong.")
    return json.loads(body)`;

const GO = `package webhooks

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Verify checks a request. body is the raw request body.
func Verify(secret string, header http.Header, body []byte) error {
	id, sent := header.Get("svix-id"), header.Get("svix-timestamp")
	seconds, err := strconv.ParseInt(sent, 10, 64)
	if err != nil || time.Since(time.Unix(seconds, 0)).Abs() > 5*time.Minute {
		return errors.New("the timestamp is too old")
	}
	key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil {
		return err
	}
	mac := hmac.New(sha256.New, key)
	fmt.Fprintf(mac, "%s.%s.%s", id, sent, body)
	expected := base64.StdEncoding.EncodeToString(mac.Sum(nil))
	for _, signature := range strings.Split(header.Get("svix-signature"), " ") {
		if hmac.Equal([]byte(strings.TrimPrefix(signature, "v1,")), []byte(expected)) {
			return nil
		}
	}
	return errors.New("the signature is wrong")
}`;

const RUBY = `require "base64"
require "json"
require "openssl"

# body: the raw request body. Returns the event, or raises ArgumentError.
def verify(secret, headers, body)
  id, sent = headers["svix-id"], headers["svix-timestamp"]
  raise ArgumentError, "The timestamp is too old." if (Time.now.to_i - Integer(sent)).abs > 300
  key = Base64.decode64(secret.delete_prefix("whsec_"))
  expected = Base64.strict_encode64(OpenSSL::HMAC.digest("SHA256", key, "#{id}.#{sent}.#{body}"))
  signatures = headers["svix-signature"].split(" ").map { |one| one.delete_prefix("v1,") }
  unless signatures.any? { |one| OpenSSL.secure_compare(one, expected) }
    raise ArgumentError, "The signature is wrong."
  end
  JSON.parse(body)
end`;

/** One for each language. */
export const VERIFY_SNIPPETS: readonly VerifySnippet[] = [
  { name: 'node', title: 'Node', text: NODE },
  { name: 'python', title: 'Python', text: PYTHON },
  { name: 'go', title: 'Go', text: GO },
  { name: 'ruby', title: 'Ruby', text: RUBY },
];
