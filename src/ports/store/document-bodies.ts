import type { Acknowledgement, AlertInput } from '../../contract/alert/alert.ts';
import type { MaintenanceInput } from '../../contract/alert/maintenance.ts';
import type { Dashboard } from '../../contract/dashboard/dashboard.ts';
import type { PipeDefinition } from '../../contract/pipe/pipe.ts';
import type { SavedSearch } from '../../contract/saved-search.ts';
import type { SourceInput } from '../../contract/source.ts';
import type { Webhook } from '../../contract/webhook/webhook.ts';

/** Fields that every stored document has beside its body. */
type Kept = 'id' | 'createdAt' | 'updatedAt';

/** The fields of the request that are set, and what `silence` and `acknowledge` record. */
export type AlertBody = { [K in keyof AlertInput]: Exclude<AlertInput[K], null | undefined> } & {
  silenced?: boolean;
  /** Those of incidents that have ended stay until the next one is added. */
  acknowledgements?: Acknowledgement[];
};

export type DashboardBody = Omit<Dashboard, Kept>;

export type SavedSearchBody = Omit<SavedSearch, Kept>;

/**
 * `url` is masked. The whole URL, headers, query parameters and the signing secret are sealed beside
 * it.
 */
export type WebhookBody = Omit<Webhook, Kept>;

/** Answers do not show the fields that are added here; credentials are sealed beside it. */
export type PipeBody = PipeDefinition & {
  roles?: string[];
  /** The name under which answers show `destination.database`, if it has another. */
  shownDatabase?: string;
  /**
   * Absent in pipes that earlier versions stored: they keep the tables that they write to, whoever
   * owns them.
   */
  ownsTables?: true;
};

/** The body of each kind of document, as it is stored. A new kind needs no new table. */
export interface DocumentBodies {
  alert: AlertBody;
  dashboard: DashboardBody;
  source: SourceInput;
  webhook: WebhookBody;
  savedSearch: SavedSearchBody;
  pipe: PipeBody;
  maintenanceWindow: MaintenanceInput;
}

export type DocumentKind = keyof DocumentBodies;
