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
