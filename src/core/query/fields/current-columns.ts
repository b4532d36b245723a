import { Fault, invalid } from '../../../contract/errors.ts';
import type { Source } from '../../../contract/source.ts';
import { TelemetryError, type Column } from '../../../ports/telemetry.ts';
import type { Table } from '../plan/plan.ts';
import { publicFault } from '../run/public-fault.ts';
import { fieldsOf, type Fields } from './fields.ts';
import { mainTable } from './source-table.ts';
import { TextChecks } from './text-checks.ts';

/** The columns of sources, as far as the engine has told them. */
export class CurrentColumns extends TextChecks {
  /** If a known column does not exist any more, reads the columns and tries once more. */
  protected async withCurrentColumns<T>(
    source: Source,
    query: (fields: Fields) => Promise<T>,
  ): Promise<T> {
    try {
      return await query(await this.sourceColumns(source));
    } catch (error) {
      if (!isUnknownColumn(error)) {
        throw error;
      }
      const { database, name } = mainTable(source);
      this.telemetry.forgetColumns(database, name);
      return query(await this.sourceColumns(source));
    }
  }

  protected async sourceColumns(source: Source): Promise<Fields> {
    const tenant = await this.tenantOf(source);
    const columns = await this.columns(tenant, mainTable(source));
    if (columns.length === 0) {
      throw invalid([{ path: 'sourceId', message: noColumns(tenant, source) }]);
    }
    return fieldsOf(columns);
  }

  protected async columns(tenant: string, { database, name }: Table): Promise<Column[]> {
    try {
      return await this.telemetry.columns(database, name, tenant);
    } catch (error) {
      throw publicFault(error);
    }
  }
}

/** Why a table has no columns. Nobody learns what another database has. */
export function noColumns(tenant: string, { name, from: { databaseName } }: Source): string {
  return databaseName === tenant
    ? `the table of source "${name}" does not exist`
    : `source "${name}" names the database "${databaseName}", but this team can read only its own ` +
        `database "${tenant}". Change from.databaseName of the source.`;
}

const isUnknownColumn = (error: unknown): boolean =>
  error instanceof Fault &&
  error.cause instanceof TelemetryError &&
  error.cause.kind === 'unknown_column';
