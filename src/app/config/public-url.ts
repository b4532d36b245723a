import { urlOf } from '../address.ts';
import type { Config } from './config.ts';

/** Address of the web interface, without a slash at its end; empty if its port is any free one. */
export function publicUrlOf({
  publicUrl,
  host,
  uiPort,
}: Pick<Config, 'publicUrl' | 'host' | 'uiPort'>): string {
  if (publicUrl !== undefined) {
    return publicUrl;
  }
  if (uiPort === 0) {
    return '';
  }
  return urlOf(host, uiPort);
}

/**
 * Where a browser that called the API finds the web interface, by the host name that it used.
 * @param started address of the interface in this process; undefined: it has none
 */
export function interfaceUrlOf(
  { publicUrl, host }: Pick<Config, 'publicUrl' | 'host'>,
  started: string | undefined,
): ((hostname: string) => string) | undefined {
  const url = publicUrl ?? started;
  if (url === undefined) {
    return undefined;
  }
  const anyHost = publicUrl === undefined && (host === '0.0.0.0' || host === '::');
  return (hostname) => {
    const named = anyHost && /^(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])$/i.test(hostname);
    return named ? `http://${hostname}:${new URL(url).port}` : url;
  };
}
