import type { Issue } from '../../contract/errors.ts';
import { maskConnectionString } from '../../contract/pipe/object-storage.ts';
import {
  sameTable,
  type PostgresTableMapping,
  type PostgresTableReference,
} from '../../contract/pipe/postgres.ts';
import type { SourceKindName } from '../../contract/pipe/sources.ts';

type AnySource = Record<string, unknown>;

/** A stored source (secrets in place) with a change laid over it. What does not fit is added to `issues`. */
export function mergeSource(
  kind: SourceKindName,
  stored: AnySource,
  change: AnySource,
  issues: Issue[],
): AnySource {
  const { settings, tableMappingsToAdd, tableMappingsToRemove, ...plain } = change;
  const merged: AnySource = {
    ...stored,
    ...Object.fromEntries(Object.entries(plain).filter(([, value]) => value !== undefined)),
  };
  if (kind === 'objectStorage') {
    keepMasked(stored, merged);
  }
  if (kind === 'objectStorage' || kind === 'cloudstream') {
    replaceIdentity(change, merged);
  }
  if (kind !== 'postgres') {
    return merged;
  }
  if (settings !== undefined) {
    merged['settings'] = { ...(stored['settings'] as AnySource), ...(settings as AnySource) };
  }
  merged['tableMappings'] = mergeTables(
    stored['tableMappings'] as PostgresTableMapping[],
    (tableMappingsToAdd ?? []) as PostgresTableMapping[],
    (tableMappingsToRemove ?? []) as PostgresTableReference[],
    issues,
  );
  return merged;
}

/** A new key replaces an old role, and the other way round: nobody is both. */
function replaceIdentity({ accessKey, iamRole }: AnySource, merged: AnySource): void {
  if ((accessKey === undefined) === (iamRole === undefined)) {
    return;
  }
  delete merged[accessKey === undefined ? 'accessKey' : 'iamRole'];
  if (merged['authentication'] !== undefined) {
    merged['authentication'] = accessKey === undefined ? 'IAM_ROLE' : 'IAM_USER';
  }
}

/** A client that sends back what it was shown means: as it was. */
function keepMasked(stored: AnySource, merged: AnySource): void {
  const before = stored['connectionString'] as string | undefined;
  if (before !== undefined && merged['connectionString'] === maskConnectionString(before)) {
    merged['connectionString'] = before;
  }
}

function mergeTables(
  stored: PostgresTableMapping[],
  add: PostgresTableMapping[],
  remove: PostgresTableReference[],
  issues: Issue[],
): PostgresTableMapping[] {
  const path = 'source.postgres';
  for (const [index, reference] of remove.entries()) {
    if (!stored.some((mapping) => sameTable(mapping, reference))) {
      issues.push({
        path: `${path}.tableMappingsToRemove.${index}`,
        message: 'is not a table mapping of this pipe',
      });
    }
  }
  const kept = stored.filter(
    (mapping) => !remove.some((reference) => sameTable(mapping, reference)),
  );
  for (const [index, { targetTable }] of add.entries()) {
    if (kept.some((mapping) => mapping.targetTable === targetTable)) {
      issues.push({
        path: `${path}.tableMappingsToAdd.${index}.targetTable`,
        message: 'is the target of another table mapping already',
      });
    }
  }
  const merged = [...kept, ...add];
  if (merged.length === 0) {
    issues.push({
      path: `${path}.tableMappingsToRemove`,
      message: 'would leave the pipe without a table',
    });
  }
  return merged;
}
