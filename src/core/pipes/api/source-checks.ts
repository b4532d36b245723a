import type { Issue } from '../../../contract/errors.ts';
import type { PipeColumn, PipeFieldMapping } from '../../../contract/pipe/destination.ts';
import type { Mistake } from '../../../contract/pipe/source-contract.ts';
import { EgressRefused, type Egress } from '../../../ports/egress.ts';
import type { ConfiguredSource } from '../kinds/configured-source.ts';
import type { SourceAddress } from '../kinds/source-kind.ts';
import { certificateMistakes } from './certificate-checks.ts';

/** Everything that is wrong with a source and that its schema alone cannot see. */
export async function sourceIssues(
  { kind, rules, settings }: ConfiguredSource,
  { egress, allowHttp }: { egress: Pick<Egress, 'check'>; allowHttp: boolean },
): Promise<Issue[]> {
  const addresses = rules.addresses(settings);
  const mistakes = [
    ...rules.contract.mistakes(settings),
    ...certificateMistakes(rules.certificates(settings)),
    ...(allowHttp ? [] : plainHttpMistakes(addresses)),
    ...(await addressMistakes(addresses, egress)),
  ];
  return mistakes.map((mistake) => sourceIssue(kind, mistake));
}

export function sourceIssue(kind: string, [path, message]: Mistake): Issue {
  return { path: ['source', kind, ...path].join('.'), message };
}

/** What is wrong with the fields that a pipe reads from its source. */
export function fieldIssues(
  { rules, settings }: ConfiguredSource,
  fieldMappings: readonly PipeFieldMapping[],
  columns: readonly PipeColumn[] = [],
): Issue[] {
  const sourceOf = new Map(
    fieldMappings.map(({ destinationField, sourceField }) => [destinationField, sourceField]),
  );
  const message = rules.fieldConflict(
    settings,
    columns.map(({ name }) => sourceOf.get(name) ?? name),
  );
  if (message === undefined) {
    return [];
  }
  return [{ path: fieldMappings.length > 0 ? 'fieldMappings' : 'destination.columns', message }];
}

function plainHttpMistakes(addresses: readonly SourceAddress[]): Mistake[] {
  return addresses
    .filter((address) => 'url' in address && /^http:/i.test(address.url))
    .map(({ path }): Mistake => [
      path,
      'must be https; an operator can allow http with SIGHTLINE_ALLOW_HTTP_SOURCES',
    ]);
}

async function addressMistakes(
  addresses: readonly SourceAddress[],
  egress: Pick<Egress, 'check'>,
): Promise<Mistake[]> {
  const mistakes = await Promise.all(
    addresses.map(async (address): Promise<Mistake[]> => {
      const host = hostOf(address);
      const message = host === undefined ? undefined : await hostMistake(host, egress);
      return message === undefined ? [] : [[address.path, message]];
    }),
  );
  return mistakes.flat();
}

/** The host and port of a URL may be followed by patterns that no URL may have. */
function hostOf(address: SourceAddress): string | undefined {
  return 'host' in address ? address.host : /^https?:\/\/([^/?#]*)/i.exec(address.url)?.[1];
}

async function hostMistake(
  host: string,
  egress: Pick<Egress, 'check'>,
): Promise<string | undefined> {
  try {
    await egress.check(new URL(`http://${host}`));
    return undefined;
  } catch (error) {
    if (error instanceof EgressRefused) {
      return error.message;
    }
    if (error instanceof TypeError) {
      return 'is not an address';
    }
    throw error;
  }
}
