import {
  ConnectionLost,
  SourceFailed,
  type ConnectorContext,
} from '../../../../ports/connector.ts';
import { EgressRefused } from '../../../../ports/egress.ts';
import type { ObjectAddress } from './object-address.ts';

/**
 * Where the engine connects to. The name is resolved and judged just before, so that a pipe whose
 * host may not be reached says so. An engine that does not ask the guard for its connections gets
 * the address that was judged, if that is plain http with the bucket in its path. A container is
 * reached through a relay of ours, if the engine is embedded.
 * @throws SourceFailed, ConnectionLost
 */
export async function engineEndpoint(
  { egress, engineGuarded, engineRelay }: ConnectorContext<'objectStorage'>,
  address: ObjectAddress,
): Promise<string> {
  const url = new URL(address.endpoint);
  const isVirtualHost = address.kind === 's3' && address.virtualHost;
  const host = isVirtualHost ? `${address.bucket}.${url.hostname}` : url.hostname;
  try {
    const [{ family, address: resolved }] = await egress.resolve(host);
    if (address.kind === 'azure') {
      // The engine's client of Azure uses no proxy.
      return (await engineRelay?.(address.endpoint)) ?? address.endpoint;
    }
    const canPin = url.protocol === 'http:' && !isVirtualHost;
    if (engineGuarded === true || !canPin) {
      return address.endpoint;
    }
    const port = url.port === '' ? '' : `:${url.port}`;
    return `http://${family === 6 ? `[${resolved}]` : resolved}${port}`;
  } catch (error) {
    if (error instanceof EgressRefused) {
      throw new SourceFailed(error.message, {
        cause: error,
        problem: { reason: 'address_refused' },
      });
    }
    throw new ConnectionLost(`the host name ${host} does not resolve just now`, {
      cause: error,
      problem: { reason: 'host_not_found' },
    });
  }
}
