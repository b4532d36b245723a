import type { WhereLanguage } from '../../../contract/common.ts';
import type { Issue } from '../../../contract/errors.ts';
import type { MetricDataType, Source, SourceInput } from '../../../contract/source.ts';
import type { Telemetry } from '../../../ports/telemetry.ts';
import { conditionIssues, expressionIssues, sourceIssues } from './check.ts';
import { anyField, fieldsOf, type Fields } from './fields.ts';
import { columnsWithin, mainTable } from './source-table.ts';
import { WrittenTextCheck, type WrittenText } from './written-text.ts';

/** Maximum time that a save waits for the engine to list the columns. */
const columnsTimeoutMs = 5000;

/** The telemetry database of a workspace. @throws Fault not_found if the workspace does not exist. */
export type WorkspaceDatabase = (workspaceId: string) => Promise<string>;

/** Checks of texts that callers want to store. */
export class TextChecks {
  protected readonly telemetry: Telemetry;
  private readonly workspaceDatabase: WorkspaceDatabase;

  constructor(telemetry: Telemetry, workspaceDatabase: WorkspaceDatabase) {
    this.telemetry = telemetry;
    this.workspaceDatabase = workspaceDatabase;
  }

  /** Whose rights count: those of the source's workspace, whatever database the source names. */
  protected tenantOf({ team }: Pick<Source, 'team'>): Promise<string> {
    return this.workspaceDatabase(team);
  }

  /**
   * Mistakes in the expressions of a source of the caller's own database. The table need not exist
   * yet; if it does, it must have their columns.
   */
  async checkSource(source: SourceInput): Promise<Issue[]> {
    return sourceIssues(source, await this.knownFields(source));
  }

  /**
   * Mistakes in texts that are to be stored. Names of columns are not checked if there is no source,
   * if the table does not exist yet, or if the engine does not respond.
   */
  async checkTexts(source: Source | undefined, texts: readonly WrittenText[]): Promise<Issue[]> {
    const fields = new Map<MetricDataType | undefined, Fields>();
    for (const type of new Set(texts.map(({ metricType }) => metricType))) {
      fields.set(type, source ? await this.knownFields(source, type) : anyField);
    }
    return new WrittenTextCheck(source, fields).issues(texts);
  }

  /** Mistakes in a condition over a source. */
  async checkCondition(
    source: Source,
    where: string,
    language: WhereLanguage,
    path = 'where',
  ): Promise<Issue[]> {
    return conditionIssues(source, await this.knownFields(source), where, language, path);
  }

  /** Mistakes in a field path or expression over a source. */
  async checkExpression(source: Source, text: string, path: string): Promise<Issue[]> {
    return expressionIssues(await this.knownFields(source), text, path);
  }

  /** The columns if they are known. Accepts any name if there is no table or no response. */
  private async knownFields(
    source: Source | SourceInput,
    metricType?: MetricDataType,
  ): Promise<Fields> {
    const { database, name } = mainTable(source, metricType);
    const tenant = 'team' in source ? await this.tenantOf(source) : database;
    const columns = await columnsWithin(
      columnsTimeoutMs,
      this.telemetry.columns(database, name, tenant),
    );
    return columns.length === 0 ? anyField : fieldsOf(columns);
  }
}
