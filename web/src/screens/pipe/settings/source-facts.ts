import type { Pipe } from '../../../api/queries/pipes.ts';
import { kindOf } from '../../../pipes/kinds.ts';
import { plural } from '../../../view/number-format.ts';

const special: Readonly<Record<string, string>> = {
  type: 'Provider',
  url: 'URL',
  queueUrl: 'URL of the queue',
  iamRole: 'IAM role',
  caCertificate: 'CA certificate',
};

/** Parts of a source that have a place of their own on the page. */
const elsewhere: ReadonlySet<string> = new Set(['tableMappings']);

/** What is stored of the source, in words. It has no credentials: the API never returns them. */
export function sourceFacts(pipe: Pipe): { name: string; text: string }[] {
  return factsOf(pipe.source[kindOf(pipe)] ?? {});
}

function factsOf(part: object, within = ''): { name: string; text: string }[] {
  return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
    if (elsewhere.has(key) || value === null || value === undefined || value === '') {
      return [];
    }
    const name = within === '' ? words(key) : `${within}: ${words(key).toLowerCase()}`;
    if (typeof value === 'object' && !Array.isArray(value)) {
      return factsOf(value, name);
    }
    return [{ name, text: textOf(key, value) }];
  });
}

/** `consumerGroup` is `Consumer group`. */
function words(key: string): string {
  const text = key.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`);
  return special[key] ?? text.charAt(0).toUpperCase() + text.slice(1);
}

function textOf(key: string, value: unknown): string {
  if (key === 'caCertificate') {
    return plural(String(value).split('-----BEGIN').length - 1, 'certificate');
  }
  if (typeof value === 'boolean') {
    return value ? 'Yes' : 'No';
  }
  return Array.isArray(value) ? value.join(', ') : String(value);
}
