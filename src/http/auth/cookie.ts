import type { IncomingHttpHeaders } from 'node:http';

export interface CookieOptions {
  name: string;
  /** Whether the interface is on https. */
  isSecure: boolean;
  sameSite: 'Strict' | 'Lax';
  maxAgeSeconds: number;
  /** What a value looks like. */
  pattern: RegExp;
}

/** A cookie that scripts cannot read. On https only this very host can set it (`__Host-`). */
export class Cookie {
  readonly #name: string;
  readonly #options: CookieOptions;

  constructor(options: CookieOptions) {
    this.#options = options;
    this.#name = options.isSecure ? `__Host-${options.name}` : options.name;
  }

  /** Text of `Set-Cookie`. Null: removes the cookie. */
  write(value: string | null): string {
    const { sameSite, maxAgeSeconds, isSecure } = this.#options;
    return [
      `${this.#name}=${value ?? ''}`,
      'Path=/',
      'HttpOnly',
      `SameSite=${sameSite}`,
      `Max-Age=${value === null ? 0 : maxAgeSeconds}`,
      ...(isSecure ? ['Secure'] : []),
    ].join('; ');
  }

  /** The value, if it was sent once. Two of one name come from two places: neither counts. */
  read({ cookie }: IncomingHttpHeaders): string | undefined {
    const start = `${this.#name}=`;
    const values = (cookie ?? '')
      .split(';')
      .map((part) => part.trim())
      .filter((part) => part.startsWith(start))
      .map((part) => part.slice(start.length));
    const [value] = values;
    return values.length === 1 && value !== undefined && this.#options.pattern.test(value)
      ? value
      : undefined;
  }
}
