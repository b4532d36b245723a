import { isIP } from 'node:net';

/** Where a started app can be reached. */
export interface Addresses {
  /** Of the web interface. */
  ui?: string;
  /** Of each routed surface, base path included. */
  surfaces?: string[];
  metrics?: string;
  otlpHttp?: string;
  otlpGrpc?: string;
}

/**
 * The address of a listener, for people to paste and for links: a wildcard address cannot be
 * connected to, so that `localhost` stands in for it.
 */
export function urlOf(host: string, port: number): string {
  return `http://${nameInUrl(host)}:${port}`;
}

function nameInUrl(host: string): string {
  if (host === '0.0.0.0' || host === '::') {
    return 'localhost';
  }
  return isIP(host) === 6 ? `[${host}]` : host;
}
