/** Range of the engine's DateTime64(6). */
const firstInstant = '"0001-01-01 00:00:00.000000"';
const lastInstant = '"9999-12-31 23:59:59.999999"';
/** Range of the engine's Date32. */
const firstDate = '"1900-01-01"';
const lastDate = '"2299-12-31"';

const dash = 0x2d;
const plus = 0x2b;

/**
 * Converts a `timestamp` in ISO style. An infinite one, or one before year 1 or after 9999, becomes
 * the nearest value that the engine can store.
 */
export function timestampJson(text: string): string {
  if (text.charCodeAt(4) !== dash || text.endsWith(' BC')) {
    return text.startsWith('-') || text.endsWith(' BC') ? firstInstant : lastInstant;
  }
  return `"${text}"`;
}

/**
 * Converts a `timestamptz` in ISO style, from a session whose time zone is UTC. The engine also
 * reads other offsets.
 */
export function timestamptzJson(text: string): string {
  const length = text.length;
  return text.charCodeAt(4) === dash &&
    text.charCodeAt(length - 3) === plus &&
    text.charCodeAt(length - 2) === 0x30 &&
    text.charCodeAt(length - 1) === 0x30
    ? `"${text.slice(0, length - 3)}"`
    : timestampJson(text);
}

/**
 * Converts a `date` in ISO style. An infinite one, or one before 1900 or after 2299, becomes the
 * nearest value that the engine can store.
 */
export function dateJson(text: string): string {
  if (text.charCodeAt(4) !== dash || text.length !== 10) {
    return text.startsWith('-') || text.endsWith(' BC') ? firstDate : lastDate;
  }
  if (text < '1900-01-01') {
    return firstDate;
  }
  return text > '2299-12-31' ? lastDate : `"${text}"`;
}
