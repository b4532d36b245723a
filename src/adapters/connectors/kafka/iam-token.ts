import { presignedQuery, type CloudCredentials } from '../presigned-query.ts';

/** The service takes no token for longer. */
const expiresSeconds = 900;

/** What a broker with IAM authentication takes as a bearer token (SASL OAUTHBEARER): a signed request that asks to connect to a cluster of the region. */
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
  // The agent is told for the service's own records, and not signed.
  return Buffer.from(`https://${host}/?${query}&User-Agent=sightline`).toString('base64url');
}

/** The region of a cluster, from the name of one of its brokers; undefined where the name is no cluster's own. */
export function regionOfBroker(broker: string): string | undefined {
  return /\.kafka(?:-serverless)?\.([a-z]{2}(?:-[a-z]+)+-\d+)\.amazonaws\.com(?:\.cn)?:\d+$/.exec(
    broker,
  )?.[1];
}
