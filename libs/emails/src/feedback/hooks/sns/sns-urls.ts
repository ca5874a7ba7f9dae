/** Regions such as `us-west-2` and `us-gov-west-1`. */
const REGION = /^[a-z]{2}(-[a-z]+){1,3}-\d{1,2}$/;
const CERTIFICATE = /^\/SimpleNotificationService-[\da-zA-Z]+\.pem$/;

/** True for a URL at the SNS of a region, by https. */
export function isAtSns(url: URL, region: string): boolean {
  const host = `sns.${region}.amazonaws.com`;
  return (
    REGION.test(region) &&
    url.protocol === 'https:' &&
    (url.hostname === host || url.hostname === `${host}.cn`) &&
    `${url.port}${url.username}${url.password}` === ''
  );
}

/** True for the URL of a certificate that signs messages, in its one spelling: each other one would be fetched and kept. */
export function isCertificateUrl(text: string, region: string): boolean {
  const url = parsed(text);
  return url?.href === text && isAtSns(url, region) && CERTIFICATE.test(url.pathname) && !/[?#]/.test(text);
}

/** True for the URL that confirms a subscription. */
export function isConfirmation(text: string, region: string): boolean {
  const url = parsed(text);
  return url !== undefined && isAtSns(url, region) && url.searchParams.get('Action') === 'ConfirmSubscription';
}

function parsed(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}
