import { presignedQuery, type CloudCredentials } from '../../presigned-query.ts';

/** The longest lifetime that the service accepts. */
const expiresSeconds = 900;

/**
 * Bearer token (SASL OAUTHBEARER) for a broker with IAM authentication: a signed request to connect
 * to a cluster of the region.
 */
export function iamToken(credentials: CloudCredentials, region: string, nowMs: number): string {
  const host = `kafka.${region}.amazonaws.com`;
  const query = presignedQuery(credentials, {
    host,
    parameters: { Action: 'kafka-cluster:Connect' },
    region,
    service: 'kafka-cluster',
    expiresSeconds,
    nowMs,
  });
  // The service logs the user agent, which is not signed.
  return Buffer.from(`https://${host}/?${query}&User-Agent=sightline`).toString('base64url');
}

/** The region of a cluster, from the name of a broker. Undefined for other host names. */
export function regionOfBroker(broker: string): string | undefined {
  return /\.kafka(?:-serverless)?\.([a-z]{2}(?:-[a-z]+)+-\d+)\.amazonaws\.com(?:\.cn)?:\d+$/.exec(
    broker,
  )?.[1];
}
